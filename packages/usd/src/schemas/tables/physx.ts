import type { SchemaLibrary } from '../schema-library.ts';

/** The PhysX schemas that robot assets use: scenes, bodies, colliders, materials, joints, articulations, tendons. */
export const PHYSX: SchemaLibrary = {
	name: 'physx',
	typePrefix: 'PhysxSchema',
	identifierPrefix: '',
	table: `
single PhysxSceneAPI
	float physxScene:bounceThreshold = 0 | group="Advanced"
	uniform token physxScene:broadphaseType = "GPU" <GPU MBP SAP>
	uniform token physxScene:collisionSystem = "PCM" <PCM SAT>
	bool physxScene:enableCCD = false
	bool physxScene:enableEnhancedDeterminism = false | group="Advanced"
	bool physxScene:enableExternalForcesEveryIteration = false | group="Advanced"
	bool physxScene:enableGPUDynamics = true
	bool physxScene:enableResidualReporting = false | group="Advanced"
	bool physxScene:enableSceneQuerySupport = true | group="Advanced"
	bool physxScene:enableStabilization = false | group="Advanced"
	float physxScene:frictionCorrelationDistance = 0.025 | group="Advanced"
	float physxScene:frictionOffsetThreshold = 0.04 | group="Advanced"
	uniform token physxScene:frictionType = "patch" <patch> | group="Advanced"
	uint physxScene:gpuCollisionStackSize = 67108864 | group="Gpu"
	uint physxScene:gpuFoundLostAggregatePairsCapacity = 1024 | group="Gpu"
	uint physxScene:gpuFoundLostPairsCapacity = 262144 | group="Gpu"
	uint physxScene:gpuHeapCapacity = 67108864 | group="Gpu"
	uint physxScene:gpuMaxDeformableSurfaceContacts = 1048576 | group="Gpu"
	uint physxScene:gpuMaxNumPartitions = 8 | group="Gpu"
	uint physxScene:gpuMaxParticleContacts = 1048576 | group="Gpu"
	uint physxScene:gpuMaxRigidContactCount = 524288 | group="Gpu"
	uint physxScene:gpuMaxRigidPatchCount = 81920 | group="Gpu"
	uint physxScene:gpuMaxSoftBodyContacts = 1048576 | group="Gpu"
	uint64 physxScene:gpuTempBufferCapacity = 16777216 | group="Gpu"
	uint physxScene:gpuTotalAggregatePairsCapacity = 1024 | group="Gpu"
	bool physxScene:invertCollisionGroupFilter = false
	float physxScene:maxBiasCoefficient = inf | group="Advanced"
	uniform uint physxScene:maxPositionIterationCount = 255
	uniform uint physxScene:maxVelocityIterationCount = 255
	uniform uint physxScene:minPositionIterationCount = 1
	uniform uint physxScene:minVelocityIterationCount = 0
	bool physxScene:reportKinematicKinematicPairs = false
	bool physxScene:reportKinematicStaticPairs = false
	uniform token physxScene:solverType = "TGS" <PGS TGS>
	uint physxScene:timeStepsPerSecond = 60
	uniform token physxScene:updateType = "Synchronous" <Synchronous Asynchronous Disabled> | group="Advanced"
single PhysxRigidBodyAPI
	float physxRigidBody:angularDamping = 0.05
	float physxRigidBody:cfmScale = 0.025 | group="Advanced"
	float physxRigidBody:contactSlopCoefficient = 0 | group="Advanced"
	bool physxRigidBody:disableGravity = false
	bool physxRigidBody:enableCCD = false
	bool physxRigidBody:enableGyroscopicForces = true | group="Advanced"
	bool physxRigidBody:enableSpeculativeCCD = false | group="Advanced"
	float physxRigidBody:linearDamping = 0
	int physxRigidBody:lockedPosAxis = 0
	int physxRigidBody:lockedRotAxis = 0
	float physxRigidBody:maxAngularVelocity = 5729.58
	float physxRigidBody:maxContactImpulse = inf | group="Advanced"
	float physxRigidBody:maxDepenetrationVelocity = 3 | group="Advanced"
	float physxRigidBody:maxLinearVelocity = inf
	bool physxRigidBody:retainAccelerations = false | group="Advanced"
	float physxRigidBody:sleepThreshold = 0.00005
	bool physxRigidBody:solveContact = true | group="Advanced"
	int physxRigidBody:solverPositionIterationCount = 16 | group="Advanced"
	int physxRigidBody:solverVelocityIterationCount = 1 | group="Advanced"
	float physxRigidBody:stabilizationThreshold = 0.00001 | group="Advanced"
single PhysxContactReportAPI
	rel physxContactReport:reportPairs
	float physxContactReport:threshold = 1
single PhysxCollisionAPI
	float physxCollision:contactOffset = -inf | group="Advanced"
	float physxCollision:minTorsionalPatchRadius = 0 | group="Advanced"
	float physxCollision:restOffset = -inf | group="Advanced"
	float physxCollision:torsionalPatchRadius = 0 | group="Advanced"
single PhysxConvexHullCollisionAPI
	int physxConvexHullCollision:hullVertexLimit = 64
	float physxConvexHullCollision:minThickness = 0.001 | group="Advanced"
single PhysxConvexDecompositionCollisionAPI
	float physxConvexDecompositionCollision:errorPercentage = 10 | group="Advanced"
	int physxConvexDecompositionCollision:hullVertexLimit = 64
	int physxConvexDecompositionCollision:maxConvexHulls = 32
	float physxConvexDecompositionCollision:minThickness = 0.001 | group="Advanced"
	bool physxConvexDecompositionCollision:shrinkWrap = false | group="Advanced"
	int physxConvexDecompositionCollision:voxelResolution = 500000 | group="Advanced"
single PhysxSphereFillCollisionAPI
	uniform token physxSphereFillCollision:fillMode = "flood" <flood raycast surface> | group="Advanced"
	int physxSphereFillCollision:maxSpheres = 128
	int physxSphereFillCollision:seedCount = 1000 | group="Advanced"
	int physxSphereFillCollision:voxelResolution = 50000 | group="Advanced"
single PhysxTriangleMeshSimplificationCollisionAPI
	float physxTriangleMeshSimplificationCollision:metric = 0.55
	float physxTriangleMeshSimplificationCollision:weldTolerance = -inf | group="Advanced"
single PhysxTriangleMeshCollisionAPI
	float physxTriangleMeshCollision:weldTolerance = -inf | group="Advanced"
single PhysxSDFMeshCollisionAPI
	uniform token physxSDFMeshCollision:sdfBitsPerSubgridPixel = "BitsPerPixel16" <BitsPerPixel8 BitsPerPixel16 BitsPerPixel32> | group="Advanced"
	uniform bool physxSDFMeshCollision:sdfEnableRemeshing = false | group="Advanced"
	uniform float physxSDFMeshCollision:sdfMargin = 0.01 | group="Advanced"
	uniform float physxSDFMeshCollision:sdfNarrowBandThickness = 0.01 | group="Advanced"
	uniform int physxSDFMeshCollision:sdfResolution = 256
	uniform int physxSDFMeshCollision:sdfSubgridResolution = 6 | group="Advanced"
	uniform float physxSDFMeshCollision:sdfTriangleCountReductionFactor = 1 | group="Advanced"
single PhysxSurfaceVelocityAPI
	vector3f physxSurfaceVelocity:surfaceAngularVelocity = (0, 0, 0)
	vector3f physxSurfaceVelocity:surfaceVelocity = (0, 0, 0)
	bool physxSurfaceVelocity:surfaceVelocityEnabled = true
	bool physxSurfaceVelocity:surfaceVelocityLocalSpace = true
single PhysxMaterialAPI
	bool physxMaterial:compliantContactAccelerationSpring = false | group="Advanced"
	float physxMaterial:compliantContactDamping = 0 | group="Advanced"
	float physxMaterial:compliantContactStiffness = 0 | group="Advanced"
	uniform token physxMaterial:dampingCombineMode = "average" <average min multiply max> | group="Advanced"
	uniform token physxMaterial:frictionCombineMode = "average" <average min multiply max>
	uniform token physxMaterial:restitutionCombineMode = "average" <average min multiply max>
concrete PhysxPhysicsGearJoint : PhysicsJoint
	float physics:gearRatio = 1
	rel physics:hinge0
	rel physics:hinge1
concrete PhysxPhysicsRackAndPinionJoint : PhysicsJoint
	rel physics:hinge
	rel physics:prismatic
	float physics:ratio = 1
single PhysxJointAPI
	float physxJoint:armature = 0 | group="Advanced"
	float physxJoint:jointFriction = 0 | group="Advanced"
	float physxJoint:maxJointVelocity = 1000000 | group="Advanced"
single PhysxPhysicsDistanceJointAPI
	float physxPhysicsDistanceJoint:springDamping = 0
	bool physxPhysicsDistanceJoint:springEnabled = false
	float physxPhysicsDistanceJoint:springStiffness = 0
multiple PhysxLimitAPI
	float physxLimit:{}:bounceThreshold = 0
	float physxLimit:{}:damping = 0
	float physxLimit:{}:restitution = 0
	float physxLimit:{}:stiffness = 0
multiple PhysicsJointStateAPI @PhysxSchemaJointStateAPI
	float state:{}:physics:position = 0
	float state:{}:physics:velocity = 0
single PhysxArticulationAPI
	bool physxArticulation:articulationEnabled = true
	bool physxArticulation:enabledSelfCollisions = true
	float physxArticulation:sleepThreshold = 0.00005
	int physxArticulation:solverPositionIterationCount = 32
	int physxArticulation:solverVelocityIterationCount = 1
	float physxArticulation:stabilizationThreshold = 0.00001
single PhysxForceAPI
	vector3f physxForce:force = (0, 0, 0)
	bool physxForce:forceEnabled = true
	uniform token physxForce:mode = "acceleration" <force acceleration>
	vector3f physxForce:torque = (0, 0, 0)
	bool physxForce:worldFrameEnabled = false
multiple PhysxTendonAxisAPI
	float[] physxTendon:{}:forceCoefficient = [1]
	float[] physxTendon:{}:gearing = [1]
	uniform token[] physxTendon:{}:jointAxis <transX transY transZ rotX rotY rotZ>
multiple PhysxTendonAxisRootAPI + PhysxTendonAxisAPI:{}
	float physxTendon:{}:damping = 0
	float physxTendon:{}:limitStiffness = 0
	float physxTendon:{}:lowerLimit = -inf
	float physxTendon:{}:offset = 0
	float physxTendon:{}:restLength = 0
	float physxTendon:{}:stiffness = 0
	bool physxTendon:{}:tendonEnabled = true
	float physxTendon:{}:upperLimit = inf
multiple PhysxTendonAttachmentAPI
	float physxTendon:{}:gearing = 1
	point3f physxTendon:{}:localPos = (0, 0, 0)
	uniform token physxTendon:{}:parentAttachment
	rel physxTendon:{}:parentLink
multiple PhysxTendonAttachmentRootAPI + PhysxTendonAttachmentAPI:{}
	float physxTendon:{}:damping = 0
	float physxTendon:{}:limitStiffness = 0
	float physxTendon:{}:offset = 0
	float physxTendon:{}:stiffness = 0
	bool physxTendon:{}:tendonEnabled = true
multiple PhysxTendonAttachmentLeafAPI + PhysxTendonAttachmentAPI:{}
	float physxTendon:{}:lowerLimit = -inf
	float physxTendon:{}:restLength = -inf
	float physxTendon:{}:upperLimit = inf
multiple PhysxMimicJointAPI
	float physxMimicJoint:{}:gearing = 1
	float physxMimicJoint:{}:offset = 0
	rel physxMimicJoint:{}:referenceJoint
	uniform token physxMimicJoint:{}:referenceJointAxis = "rotX" <rotX rotY rotZ>
`,
};
