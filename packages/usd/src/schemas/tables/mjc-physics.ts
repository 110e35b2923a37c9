import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of MuJoCo's mjcPhysics. */
export const MJC_PHYSICS: SchemaLibrary = {
	name: 'mjcPhysics',
	typePrefix: 'MjcPhysics',
	identifierPrefix: 'Mjc',
	table: `
single MjcSceneAPI + NewtonSceneAPI
	uniform bool mjc:compiler:alignFree = false
	uniform token mjc:compiler:angle = "degree" <degree radian>
	uniform bool mjc:compiler:autoLimits = true
	uniform bool mjc:compiler:balanceInertia = false
	uniform double mjc:compiler:boundInertia = 0
	uniform double mjc:compiler:boundMass = 0
	uniform bool mjc:compiler:fitAABB = false
	uniform bool mjc:compiler:fuseStatic = false
	uniform token mjc:compiler:inertiaFromGeom = "auto" <false true auto>
	uniform int mjc:compiler:inertiaGroupRange:max = 5
	uniform int mjc:compiler:inertiaGroupRange:min = 0
	uniform bool mjc:compiler:saveInertial = false
	uniform double mjc:compiler:setTotalMass = -1
	uniform bool mjc:compiler:useThread = true
	uniform bool mjc:flag:actuation = true
	uniform bool mjc:flag:autoreset = true
	uniform bool mjc:flag:clampctrl = true
	uniform bool mjc:flag:constraint = true
	uniform bool mjc:flag:contact = true
	uniform bool mjc:flag:damper = true
	uniform bool mjc:flag:energy = false
	uniform bool mjc:flag:equality = true
	uniform bool mjc:flag:eulerdamp = true
	uniform bool mjc:flag:filterparent = true
	uniform bool mjc:flag:frictionloss = true
	uniform bool mjc:flag:fwdinv = false
	uniform bool mjc:flag:gravity = true
	uniform bool mjc:flag:invdiscrete = false
	uniform bool mjc:flag:island = true
	uniform bool mjc:flag:limit = true
	uniform bool mjc:flag:midphase = true
	uniform bool mjc:flag:multiccd = true
	uniform bool mjc:flag:nativeccd = true
	uniform bool mjc:flag:override = false
	uniform bool mjc:flag:refsafe = true
	uniform bool mjc:flag:sensor = true
	uniform bool mjc:flag:spring = true
	uniform bool mjc:flag:warmstart = true
	uniform int[] mjc:option:actuatorgroupdisable = []
	uniform int mjc:option:ccd_iterations = 35
	uniform double mjc:option:ccd_tolerance = 0.000001
	uniform token mjc:option:cone = "pyramidal" <pyramidal elliptic>
	uniform double mjc:option:density = 0
	uniform double mjc:option:impratio = 1
	uniform token mjc:option:integrator = "euler" <euler rk4 implicit implicitfast>
	uniform int mjc:option:iterations = 100
	uniform token mjc:option:jacobian = "auto" <auto dense sparse>
	uniform int mjc:option:ls_iterations = 50
	uniform double mjc:option:ls_tolerance = 0.01
	uniform double3 mjc:option:magnetic = (0, -0.5, 0)
	uniform int mjc:option:noslip_iterations = 0
	uniform double mjc:option:noslip_tolerance = 0.000001
	uniform double[] mjc:option:o_friction = [1, 1, 0.005, 0.0001, 0.0001]
	uniform double mjc:option:o_margin = 0
	uniform double[] mjc:option:o_solimp = [0.9, 0.95, 0.001, 0.5, 2]
	uniform double[] mjc:option:o_solref = [0.02, 1]
	uniform int mjc:option:sdf_initpoints = 40
	uniform int mjc:option:sdf_iterations = 10
	uniform token mjc:option:solver = "newton" <pgs cg newton>
	uniform double mjc:option:timestep = 0.002
	uniform double mjc:option:tolerance = 1e-8
	uniform double mjc:option:viscosity = 0
	uniform double3 mjc:option:wind = (0, 0, 0)
single MjcSiteAPI + NewtonSiteAPI
	uniform int mjc:group = 0
single MjcImageableAPI
	uniform int mjc:group = 0
single MjcCollisionAPI + NewtonCollisionAPI
	uniform int mjc:condim = 3
	uniform double mjc:gap = 0
	uniform int mjc:group = 0
	uniform double mjc:margin = 0
	uniform int mjc:priority = 0
	uniform bool mjc:shellinertia = false
	uniform double[] mjc:solimp = [0.9, 0.95, 0.001, 0.5, 2]
	uniform double mjc:solmix = 1
	uniform double[] mjc:solref = [0.02, 1]
single MjcMeshCollisionAPI + NewtonMeshCollisionAPI
	uniform token mjc:inertia = "legacy" <legacy convex exact shell>
	uniform int mjc:maxhullvert = -1
concrete MjcActuator
	uniform int mjc:actDim = -1
	uniform bool mjc:actEarly = false
	uniform token mjc:actLimited = "auto" <false true auto>
	uniform double mjc:actRange:max = 0
	uniform double mjc:actRange:min = 0
	uniform double[] mjc:biasPrm = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
	uniform token mjc:biasType = "none" <none affine muscle user>
	uniform double mjc:crankLength = 0
	uniform token mjc:ctrlLimited = "auto" <false true auto>
	uniform double mjc:ctrlRange:max = 0
	uniform double mjc:ctrlRange:min = 0
	uniform double[] mjc:dynPrm = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
	uniform token mjc:dynType = "none" <none integrator filter filterexact muscle user>
	uniform token mjc:forceLimited = "auto" <false true auto>
	uniform double mjc:forceRange:max = 0
	uniform double mjc:forceRange:min = 0
	uniform double[] mjc:gainPrm = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
	uniform token mjc:gainType = "fixed" <fixed affine muscle user>
	uniform double[] mjc:gear = [1, 0, 0, 0, 0, 0]
	uniform int mjc:group = 0
	uniform double mjc:inheritRange = 0
	uniform bool mjc:jointInParent = false
	uniform double mjc:lengthRange:max = 0
	uniform double mjc:lengthRange:min = 0
	rel mjc:refSite
	rel mjc:sliderSite
	rel mjc:target
concrete MjcKeyframe
	double[] mjc:act
	double[] mjc:ctrl
	double[] mjc:mpos
	double[] mjc:mquat
	double[] mjc:qpos
	double[] mjc:qvel
single MjcJointAPI + NewtonJointAPI
	uniform token mjc:actuatorfrclimited = "auto" <false true auto>
	uniform double mjc:actuatorfrcrange:max = 0
	uniform double mjc:actuatorfrcrange:min = 0
	uniform bool mjc:actuatorgravcomp = false
	uniform double mjc:armature = 0
	uniform double mjc:damping = 0
	uniform double mjc:frictionloss = 0
	uniform int mjc:group = 0
	uniform double mjc:margin = 0
	uniform double mjc:ref = 0
	uniform double[] mjc:solimpfriction = [0.9, 0.95, 0.001, 0.5, 2]
	uniform double[] mjc:solimplimit = [0.9, 0.95, 0.001, 0.5, 2]
	uniform double[] mjc:solreffriction = [0.02, 1]
	uniform double[] mjc:solreflimit = [0.02, 1]
	uniform double[] mjc:springdamper = [0, 0]
	uniform double mjc:springref = 0
	uniform double mjc:stiffness = 0
single MjcMaterialAPI + NewtonMaterialAPI
	uniform double mjc:rollingfriction = 0.0001
	uniform double mjc:torsionalfriction = 0.005
single MjcEqualityAPI
	uniform double[] mjc:solimp = [0.9, 0.95, 0.001, 0.5, 2]
	uniform double[] mjc:solref = [0.02, 1]
	rel mjc:target
single MjcEqualityConnectAPI + MjcEqualityAPI
single MjcEqualityWeldAPI + MjcEqualityAPI
	uniform float mjc:torqueScale = 1
single MjcEqualityJointAPI + NewtonMimicAPI
	uniform double mjc:coef0 = 0
	uniform double mjc:coef1 = 1
	uniform double mjc:coef2 = 0
	uniform double mjc:coef3 = 0
	uniform double mjc:coef4 = 0
	uniform double[] mjc:solimp = [0.9, 0.95, 0.001, 0.5, 2]
	uniform double[] mjc:solref = [0.02, 1]
	rel mjc:target
concrete MjcTendon
	uniform token mjc:actuatorfrclimited = "auto" <false true auto>
	uniform double mjc:actuatorfrcrange:max = 0
	uniform double mjc:actuatorfrcrange:min = 0
	uniform double mjc:armature = 0
	uniform double mjc:damping = 0
	uniform double mjc:frictionloss = 0
	uniform int mjc:group = 0
	uniform token mjc:limited = "auto" <auto true false>
	uniform double mjc:margin = 0
	rel mjc:path
	uniform double[] mjc:path:coef = []
	uniform double[] mjc:path:divisors = []
	uniform int[] mjc:path:indices = []
	uniform int[] mjc:path:segments = []
	uniform double mjc:range:max = 0
	uniform double mjc:range:min = 0
	uniform color4f mjc:rgba = (0.5, 0.5, 0.5, 1)
	rel mjc:sideSites
	uniform int[] mjc:sideSites:indices = []
	uniform double[] mjc:solimpfriction = [0.9, 0.95, 0.001, 0.5, 2]
	uniform double[] mjc:solimplimit = [0.9, 0.95, 0.001, 0.5, 2]
	uniform double[] mjc:solreffriction = [0.02, 1]
	uniform double[] mjc:solreflimit = [0.02, 1]
	uniform double[] mjc:springlength = [-1, -1]
	uniform double mjc:stiffness = 0
	uniform token mjc:type = "spatial" <spatial fixed>
	uniform double mjc:width = 0.003
`,
};
