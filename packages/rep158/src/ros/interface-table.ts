/**
 * Interface types of common ROS 2 packages, one line of names for each kind: facts taken from the interface files of the packages.
 * A `*` after a message says that it has a field of type `std_msgs/msg/Header`.
 */
export const INTERFACE_TABLE: Readonly<Record<string, InterfaceNames>> = {
	ackermann_msgs: {
		msg: 'AckermannDrive AckermannDriveStamped*',
	},
	action_msgs: {
		msg: 'GoalInfo GoalStatus GoalStatusArray',
		srv: 'CancelGoal',
	},
	actionlib_msgs: {
		msg: 'GoalID GoalStatus GoalStatusArray*',
	},
	builtin_interfaces: {
		msg: 'Duration Time',
	},
	composition_interfaces: {
		srv: 'ListNodes LoadNode UnloadNode',
	},
	control_msgs: {
		msg:
			'AdmittanceControllerState BatteryStateArray CANopenState DynamicInterfaceGroupValues* ' +
			'DynamicInterfaceValues* DynamicJointState* EtherCATState Float64Values* GenericHardwareState ' +
			'GripperCommand HardwareDeviceDiagnostics* HardwareDeviceStatus* HardwareDiagnostics* ' +
			'HardwareStatus* InterfaceValue JointComponentTolerance JointControllerState* JointJog* ' +
			'JointTolerance JointTrajectoryControllerState* JointWrenchTrajectory* JointWrenchTrajectoryPoint ' +
			'Keys* MecanumDriveControllerState* MotionArgument MotionPrimitive MotionPrimitiveSequence ' +
			'MultiDOFCommand MultiDOFStateStamped* PidState* SingleDOFState SingleDOFStateStamped* ' +
			'SpeedScalingFactor SteeringControllerCommand* SteeringControllerStatus* VDA5050SafetyState ' +
			'VDA5050State WrenchFramed',
		srv: 'QueryCalibrationState QueryTrajectoryState SetOdometry',
		action:
			'ExecuteMotionPrimitiveSequence FollowJointTrajectory FollowJointWrenchTrajectory GripperCommand ' +
			'JointTrajectory ParallelGripperCommand PointHead SingleJointPosition',
	},
	controller_manager_msgs: {
		msg:
			'ChainConnection ControllerManagerActivity* ControllerState HardwareComponentState ' +
			'HardwareInterface NamedLifecycleState',
		srv:
			'CleanupController ConfigureController ListControllerTypes ListControllers ListHardwareComponents ' +
			'ListHardwareInterfaces LoadController ReloadControllerLibraries SetHardwareComponentState ' +
			'SwitchController UnloadController',
	},
	diagnostic_msgs: {
		msg: 'DiagnosticArray* DiagnosticStatus KeyValue',
		srv: 'AddDiagnostics SelfTest',
	},
	geographic_msgs: {
		msg:
			'BoundingBox GeoPath* GeoPoint GeoPointStamped* GeoPose GeoPoseStamped* GeoPoseWithCovariance ' +
			'GeoPoseWithCovarianceStamped* GeographicMap* GeographicMapChanges* KeyValue MapFeature ' +
			'RouteNetwork* RoutePath* RouteSegment WayPoint',
		srv: 'GetGeoPath GetGeographicMap GetRoutePlan UpdateGeographicMap',
	},
	geometry_msgs: {
		msg:
			'Accel AccelStamped* AccelWithCovariance AccelWithCovarianceStamped* Inertia InertiaStamped* ' +
			'Point Point32 PointStamped* Polygon PolygonInstance PolygonInstanceStamped* PolygonStamped* Pose ' +
			'Pose2D PoseArray* PoseStamped* PoseWithCovariance PoseWithCovarianceStamped* Quaternion ' +
			'QuaternionStamped* Transform TransformStamped* Twist TwistStamped* TwistWithCovariance ' +
			'TwistWithCovarianceStamped* Vector3 Vector3Stamped* VelocityStamped* Wrench WrenchStamped*',
	},
	lifecycle_msgs: {
		msg: 'State Transition TransitionDescription TransitionEvent',
		srv: 'ChangeState GetAvailableStates GetAvailableTransitions GetState',
	},
	map_msgs: {
		msg: 'OccupancyGridUpdate* PointCloud2Update* ProjectedMap ProjectedMapInfo',
		srv: 'GetMapROI GetPointMap GetPointMapROI ProjectedMapsInfo SaveMap SetMapProjections',
	},
	moveit_msgs: {
		msg:
			'AllowedCollisionEntry AllowedCollisionMatrix AttachedCollisionObject BoundingVolume ' +
			'CartesianPoint CartesianTrajectory* CartesianTrajectoryPoint CollisionObject* ' +
			'ConstraintEvalResult Constraints ContactInformation* CostSource DisplayRobotState ' +
			'DisplayTrajectory GenericTrajectory* Grasp GripperTranslation JointConstraint JointLimits ' +
			'KinematicSolverInfo LinkPadding LinkScale MotionPlanDetailedResponse MotionPlanRequest ' +
			'MotionPlanResponse MotionSequenceItem MotionSequenceRequest MotionSequenceResponse ' +
			'MoveItErrorCodes ObjectColor OrientationConstraint* OrientedBoundingBox PlaceLocation ' +
			'PlannerInterfaceDescription PlannerParams PlanningOptions PlanningScene PlanningSceneComponents ' +
			'PlanningSceneWorld PositionConstraint* PositionIKRequest RobotState RobotTrajectory ' +
			'TrajectoryConstraints VisibilityConstraint WorkspaceParameters*',
		srv:
			'ApplyPlanningScene ChangeControlDimensions ChangeDriftDimensions ' +
			'CheckIfRobotStateExistsInWarehouse DeleteRobotStateFromWarehouse ExecuteKnownTrajectory ' +
			'GetCartesianPath GetMotionPlan GetMotionSequence GetPlannerParams GetPlanningScene GetPositionFK ' +
			'GetPositionIK GetRobotStateFromWarehouse GetStateValidity GraspPlanning ' +
			'ListRobotStatesInWarehouse LoadMap QueryPlannerInterfaces RenameRobotStateInWarehouse SaveMap ' +
			'SaveRobotStateToWarehouse SetPlannerParams UpdatePointcloudOctomap',
		action: 'ExecuteTrajectory MoveGroup MoveGroupSequence Pickup Place',
	},
	nav2_msgs: {
		msg:
			'BehaviorTreeLog BehaviorTreeStatusChange CircleObject* CollisionDetectorState ' +
			'CollisionMonitorState Costmap* CostmapFilterInfo* CostmapMetaData CostmapUpdate* CriticsStats ' +
			'EdgeCost ExclusionZoneDescription Particle ParticleCloud* PolygonObject* Route* RouteEdge ' +
			'RouteNode SpeedLimit* TrackingFeedback* VoxelGrid* WaypointStatus',
		srv:
			'AddExclusionZone AddShapes ClearCostmapAroundPose ClearCostmapAroundRobot ' +
			'ClearCostmapExceptRegion ClearEntireCostmap DynamicEdges GetCostmap GetCosts GetShapes ' +
			'IsPathValid LoadMap ManageLifecycleNodes ReloadDockDatabase RemoveExclusionZone RemoveShapes ' +
			'SaveMap SetInitialPose SetRouteGraph Toggle',
		action:
			'AssistedTeleop BackUp ComputeAndTrackRoute ComputePathThroughPoses ComputePathToPose ' +
			'ComputeRoute DockRobot DriveOnHeading DummyBehavior FollowGPSWaypoints FollowObject FollowPath ' +
			'FollowWaypoints NavigateThroughPoses NavigateToPose SmoothPath Spin UndockRobot Wait',
	},
	nav_msgs: {
		msg: 'Goals* GridCells* MapMetaData OccupancyGrid* Odometry* Path* Trajectory* TrajectoryPoint*',
		srv: 'GetMap GetPlan LoadMap SetMap',
	},
	octomap_msgs: {
		msg: 'Octomap* OctomapWithPose*',
		srv: 'BoundingBoxQuery GetOctomap',
	},
	radar_msgs: {
		msg: 'RadarReturn RadarScan* RadarTrack RadarTracks*',
	},
	rcl_interfaces: {
		msg:
			'FloatingPointRange IntegerRange ListParametersResult Log LoggerLevel Parameter ' +
			'ParameterDescriptor ParameterEvent ParameterEventDescriptors ParameterType ParameterValue ' +
			'SetLoggerLevelsResult SetParametersResult',
		srv:
			'DescribeParameters GetLoggerLevels GetParameterTypes GetParameters ListParameters ' +
			'SetLoggerLevels SetParameters SetParametersAtomically',
	},
	rosgraph_msgs: {
		msg: 'Clock',
	},
	sensor_msgs: {
		msg:
			'BatteryState* CameraInfo* ChannelFloat32 CompressedImage* FluidPressure* Illuminance* Image* ' +
			'Imu* JointState* Joy* JoyFeedback JoyFeedbackArray LaserEcho LaserScan* MagneticField* ' +
			'MultiDOFJointState* MultiEchoLaserScan* NavSatFix* NavSatStatus PointCloud* PointCloud2* ' +
			'PointField Range* RegionOfInterest RelativeHumidity* Temperature* TimeReference*',
		srv: 'SetCameraInfo',
	},
	service_msgs: {
		msg: 'ServiceEventInfo',
	},
	shape_msgs: {
		msg: 'Mesh MeshTriangle Plane SolidPrimitive',
	},
	simulation_interfaces: {
		msg:
			'Bounds EntityCategory EntityFilters EntityInfo EntityState* NamedPose Resource Result ' +
			'SimulationState SimulatorFeatures SpawnEntity SpawnResult Spawnable TagsFilter WorldResource',
		srv:
			'DeleteEntity GetAvailableWorlds GetCurrentWorld GetEntities GetEntitiesStates GetEntityBounds ' +
			'GetEntityInfo GetEntityState GetNamedPoseBounds GetNamedPoses GetSimulationState ' +
			'GetSimulatorFeatures GetSpawnables LoadWorld ResetSimulation SetEntityInfo SetEntityState ' +
			'SetSimulationState SpawnEntities SpawnEntity StepSimulation UnloadWorld',
		action: 'SimulateSteps',
	},
	statistics_msgs: {
		msg: 'MetricsMessage StatisticDataPoint StatisticDataType',
	},
	std_msgs: {
		msg:
			'Bool Byte ByteMultiArray Char ColorRGBA Empty Float32 Float32MultiArray Float64 ' +
			'Float64MultiArray Header Int16 Int16MultiArray Int32 Int32MultiArray Int64 Int64MultiArray Int8 ' +
			'Int8MultiArray MultiArrayDimension MultiArrayLayout String UInt16 UInt16MultiArray UInt32 ' +
			'UInt32MultiArray UInt64 UInt64MultiArray UInt8 UInt8MultiArray',
	},
	std_srvs: {
		srv: 'Empty SetBool Trigger',
	},
	stereo_msgs: {
		msg: 'DisparityImage*',
	},
	tf2_msgs: {
		msg: 'TF2Error TFMessage',
		srv: 'FrameGraph',
		action: 'LookupTransform',
	},
	trajectory_msgs: {
		msg: 'JointTrajectory* JointTrajectoryPoint MultiDOFJointTrajectory* MultiDOFJointTrajectoryPoint',
	},
	type_description_interfaces: {
		msg: 'Field FieldType IndividualTypeDescription KeyValue TypeDescription TypeSource',
		srv: 'GetTypeDescription',
	},
	unique_identifier_msgs: {
		msg: 'UUID',
	},
	vision_msgs: {
		msg:
			'BoundingBox2D BoundingBox2DArray* BoundingBox3D BoundingBox3DArray* Classification* Detection2D* ' +
			'Detection2DArray* Detection3D* Detection3DArray* LabelInfo* ObjectHypothesis ' +
			'ObjectHypothesisWithPose Point2D Pose2D VisionClass VisionInfo*',
	},
	visualization_msgs: {
		msg:
			'ImageMarker* InteractiveMarker* InteractiveMarkerControl InteractiveMarkerFeedback* ' +
			'InteractiveMarkerInit InteractiveMarkerPose* InteractiveMarkerUpdate Marker* MarkerArray ' +
			'MenuEntry MeshFile UVCoordinate',
		srv: 'GetInteractiveMarkers',
	},
};

/** Names of the interfaces of a package by kind, separated by spaces. */
export interface InterfaceNames {
	readonly msg?: string;
	readonly srv?: string;
	readonly action?: string;
}
