import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdPhysics (OpenUSD 26.11). */
export const USD_PHYSICS: SchemaLibrary = {
	name: 'usdPhysics',
	typePrefix: 'UsdPhysics',
	identifierPrefix: 'Physics',
	table: `
concrete PhysicsScene
	vector3f physics:gravityDirection = (0, 0, 0)
	float physics:gravityMagnitude = -inf
single PhysicsRigidBodyAPI
	vector3f physics:angularVelocity = (0, 0, 0)
	bool physics:kinematicEnabled = false
	bool physics:rigidBodyEnabled = true
	rel physics:simulationOwner
	uniform bool physics:startsAsleep = false
	vector3f physics:velocity = (0, 0, 0)
single PhysicsMassAPI
	point3f physics:centerOfMass = (-inf, -inf, -inf)
	float physics:density = 0
	float3 physics:diagonalInertia = (0, 0, 0)
	float physics:mass = 0
	quatf physics:principalAxes = (0, 0, 0, 0)
single PhysicsCollisionAPI
	bool physics:collisionEnabled = true
	rel physics:simulationOwner
single PhysicsMeshCollisionAPI
	uniform token physics:approximation = "none" <none convexDecomposition convexHull boundingSphere boundingCube meshSimplification>
single PhysicsMaterialAPI
	float physics:density = 0
	float physics:dynamicFriction = 0
	float physics:restitution = 0
	float physics:staticFriction = 0
concrete PhysicsCollisionGroup + CollectionAPI:colliders
	rel physics:filteredGroups
	bool physics:invertFilteredGroups
	string physics:mergeGroup
single PhysicsFilteredPairsAPI
	rel physics:filteredPairs
concrete PhysicsJoint : Imageable
	rel physics:body0
	rel physics:body1
	float physics:breakForce = inf
	float physics:breakTorque = inf
	bool physics:collisionEnabled = false
	uniform bool physics:excludeFromArticulation = false
	bool physics:jointEnabled = true
	point3f physics:localPos0 = (0, 0, 0)
	point3f physics:localPos1 = (0, 0, 0)
	quatf physics:localRot0 = (1, 0, 0, 0)
	quatf physics:localRot1 = (1, 0, 0, 0)
concrete PhysicsRevoluteJoint : PhysicsJoint
	uniform token physics:axis = "X" <X Y Z>
	float physics:lowerLimit = -inf
	float physics:upperLimit = inf
concrete PhysicsPrismaticJoint : PhysicsJoint
	uniform token physics:axis = "X" <X Y Z>
	float physics:lowerLimit = -inf
	float physics:upperLimit = inf
concrete PhysicsSphericalJoint : PhysicsJoint
	uniform token physics:axis = "X" <X Y Z>
	float physics:coneAngle0Limit = -1
	float physics:coneAngle1Limit = -1
concrete PhysicsDistanceJoint : PhysicsJoint
	float physics:maxDistance = -1
	float physics:minDistance = -1
concrete PhysicsFixedJoint : PhysicsJoint
multiple PhysicsLimitAPI
	float limit:{}:physics:high = inf
	float limit:{}:physics:low = -inf
multiple PhysicsDriveAPI
	float drive:{}:physics:damping = 0
	float drive:{}:physics:maxForce = inf
	float drive:{}:physics:stiffness = 0
	float drive:{}:physics:targetPosition = 0
	float drive:{}:physics:targetVelocity = 0
	uniform token drive:{}:physics:type = "force" <force acceleration>
single PhysicsArticulationRootAPI
`,
};
