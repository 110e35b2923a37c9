import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of newton-usd-schemas 0.5.0. */
export const NEWTON: SchemaLibrary = {
	name: 'newton',
	typePrefix: 'NewtonPhysics',
	identifierPrefix: 'Newton',
	table: `
single NewtonSceneAPI on PhysicsScene
	uniform int newton:maxSolverIterations = -1 | hard=-1..
	uniform int newton:timeStepsPerSecond = 1000 | hard=1..
	bool newton:gravityEnabled = true
single NewtonXpbdSceneAPI + NewtonSceneAPI on PhysicsScene
	uniform float newton:xpbd:softBodyRelaxation = 0.9 | hard=0..1
	uniform float newton:xpbd:softContactRelaxation = 0.9 | hard=0..1
	uniform float newton:xpbd:jointLinearRelaxation = 0.7 | hard=0..1
	uniform float newton:xpbd:jointAngularRelaxation = 0.4 | hard=0..1
	uniform float newton:xpbd:jointLinearCompliance = 0 | hard=0..
	uniform float newton:xpbd:jointAngularCompliance = 0 | hard=0..
	uniform float newton:xpbd:rigidContactRelaxation = 0.8 | hard=0..1
	uniform bool newton:xpbd:rigidContactConWeighting = true
	uniform float newton:xpbd:angularDamping = 0 | hard=0..
	uniform bool newton:xpbd:restitutionEnabled = false
single NewtonKaminoSceneAPI + NewtonSceneAPI on PhysicsScene
	uniform float newton:kamino:padmm:primalTolerance = 0.000001 | hard=1e-10..
	uniform float newton:kamino:padmm:dualTolerance = 0.000001 | hard=1e-10..
	uniform float newton:kamino:padmm:complementarityTolerance = 0.000001 | hard=1e-10..
	uniform token newton:kamino:padmm:warmstarting = "containers" <none internal containers>
	uniform bool newton:kamino:padmm:useAcceleration = true
	uniform bool newton:kamino:constraints:usePreconditioning = true
	uniform float newton:kamino:constraints:alpha = 0.01 | hard=0..1
	uniform float newton:kamino:constraints:beta = 0.01 | hard=0..1
	uniform float newton:kamino:constraints:gamma = 0.01 | hard=0..1
	uniform token newton:kamino:jointCorrection = "twopi" <none twopi continuous>
single NewtonMPMSceneAPI + NewtonSceneAPI on PhysicsScene
	uniform float newton:mpm:tolerance = 0.0001 | hard=0..
	uniform token[] newton:mpm:rheologySolvers = ["auto"] <auto gauss-seidel gauss-seidel-soa gauss-seidel-batched jacobi conjugate-gradient conjugate-residual generalized-minimal-residual>
	uniform float newton:mpm:voxelSize = -inf | soft=0..
	uniform token newton:mpm:gridType = "sparse" <sparse dense fixed>
	uniform int newton:mpm:gridPadding = 0 | hard=0..
	uniform int newton:mpm:maxActiveCellCount = -1 | hard=-1..
	uniform token newton:mpm:transferScheme = "apic" <apic pic>
	uniform token newton:mpm:integrationScheme = "pic" <pic gimp>
	uniform float newton:mpm:criticalFraction = 0 | hard=0..1
	uniform float newton:mpm:airDrag = -inf | soft=0..
	uniform token newton:mpm:colliderBasisType = "serendipity" <linear trilinear bspline serendipity particle>
	uniform int newton:mpm:colliderBasisOrder = 2 | hard=0..
	uniform bool newton:mpm:colliderDiscontinuousBasis = false
	uniform token newton:mpm:strainBasisType = "linear" <linear trilinear particle>
	uniform int newton:mpm:strainBasisOrder = 0 | hard=0..
	uniform bool newton:mpm:strainDiscontinuousBasis = false
	uniform token newton:mpm:velocityBasisType = "trilinear" <trilinear bspline>
	uniform int newton:mpm:velocityBasisOrder = 1 | hard=1..3
single NewtonArticulationRootAPI + PhysicsArticulationRootAPI
	bool newton:selfCollisionEnabled = true
	uniform bool newton:jointsAddMobility = false
single NewtonJointAPI on PhysicsJoint
	float newton:armature = 0 | hard=0..
	float newton:damping = 0 | hard=0..
	float newton:friction = 0 | hard=0..
	float newton:velocityLimit = inf | hard=0..
	float newton:limitStiffness = -inf
	float newton:limitDamping = -inf
single NewtonMassAPI + PhysicsMassAPI on Xformable
	double[] newton:inertia = [] | size=6
	uniform token newton:massModel = "solid" <solid shell>
	float newton:shellThickness = -inf | hard=0..
single NewtonCollisionAPI + PhysicsCollisionAPI on Gprim
	float newton:contactMargin = 0 | soft=0..
	float newton:contactGap = -inf | hard=0..
single NewtonMeshCollisionAPI + NewtonCollisionAPI PhysicsMeshCollisionAPI on Mesh
	uniform int newton:maxHullVertices = -1 | hard=-1..
single NewtonSDFCollisionAPI + NewtonCollisionAPI on Gprim
	uniform int newton:sdfMaxResolution = 64 | hard=8..
	uniform float newton:sdfTargetVoxelSize = -inf | hard=0..
	uniform float newton:sdfNarrowBandInner = -0.1 | soft=..0
	uniform float newton:sdfNarrowBandOuter = 0.1 | soft=0..
	uniform token newton:sdfTextureFormat = "uint16" <uint8 uint16 float32>
	uniform float newton:sdfPadding = -inf | hard=0..
	bool newton:hydroelasticEnabled = false
	float newton:hydroelasticStiffness = 10000000000 | hard=0..
single NewtonSiteAPI on Gprim
single NewtonPointsDeformableSimAPI on Points
	float[] physics:masses
single NewtonMaterialAPI + PhysicsMaterialAPI on Material
	float newton:torsionalFriction = 0.005 | hard=0..
	float newton:rollingFriction = 0.0001 | hard=0..
	float newton:contactStiffness = -inf | soft=0..
	float newton:contactDamping = -inf | soft=0..
	float newton:contactFrictionGain = -inf | soft=0..
	float newton:contactAdhesion = -inf | soft=0..
single NewtonMPMMaterialAPI + PhysicsMaterialAPI on Material
	float newton:mpm:youngsModulus = -inf | soft=0..
	float newton:mpm:poissonsRatio = 0.3 | hard=-1..0.5
	float newton:mpm:elasticDamping = 0 | hard=0..
	float newton:mpm:internalFriction = 0.5 | hard=0..
	float newton:mpm:yieldPressure = -inf | soft=0..
	float newton:mpm:tensileYieldRatio = 0 | hard=0..1
	float newton:mpm:yieldStress = 0 | hard=0..
	float newton:mpm:viscosity = 0 | hard=0..
	float newton:mpm:initialPlasticVolumeStrain = 1 | hard=0..
	float newton:mpm:hardening = 0 | hard=0..
	float newton:mpm:hardeningRate = 1 | hard=0..
	float newton:mpm:softeningRate = 1 | hard=0..
	float newton:mpm:dilatancy = 0 | hard=0..1
single NewtonCurvesDeformableMaterialAPI + PhysicsMaterialAPI on Material
	float newton:curvesStretchDamping = -inf | soft=0..
	float newton:curvesShearDamping = -inf | soft=0..
	float newton:curvesBendDamping = -inf | soft=0..
	float newton:curvesTwistDamping = -inf | soft=0..
single NewtonMimicAPI on PhysicsJoint
	bool newton:mimicEnabled = true
	rel newton:mimicJoint
	float newton:mimicCoef0 = 0
	float newton:mimicCoef1 = 1
concrete NewtonActuator
	rel newton:targets
single NewtonActuatorDelayAPI on NewtonActuator
	int newton:delaySteps = 1 | hard=0..
single NewtonActuatorControlBaseAPI on NewtonActuator
single NewtonPDControlAPI + NewtonActuatorControlBaseAPI on NewtonActuator
	float newton:constEffort = 0
	float newton:kp = 0 | hard=0..
	float newton:kd = 0 | hard=0..
single NewtonPIDControlAPI + NewtonActuatorControlBaseAPI on NewtonActuator
	float newton:constEffort = 0
	float newton:kp = 0 | hard=0..
	float newton:kd = 0 | hard=0..
	float newton:ki = 0 | hard=0..
	float newton:integralMax = inf | hard=0..
single NewtonNeuralControlAPI + NewtonActuatorControlBaseAPI on NewtonActuator
	asset newton:modelPath
single NewtonActuatorClampingBaseAPI on NewtonActuator
single NewtonMaxEffortClampingAPI + NewtonActuatorClampingBaseAPI on NewtonActuator
	float newton:maxEffort = inf | hard=0..
single NewtonDCMotorClampingAPI + NewtonActuatorClampingBaseAPI on NewtonActuator
	float newton:maxMotorEffort = inf | hard=0..
	float newton:saturationEffort = inf | hard=0..
	float newton:velocityLimit = inf | hard=0..
single NewtonPositionBasedClampingAPI + NewtonActuatorClampingBaseAPI on NewtonActuator
	float[] newton:lookupPositions = []
	float[] newton:lookupEfforts = []
`,
};
