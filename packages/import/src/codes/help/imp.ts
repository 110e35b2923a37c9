import type { CodeHelp } from '@manyworlds/core/internal';
import type { IMP_CODES } from '../imp.ts';

/** What to do about the codes of the importers. */
export const IMP_HELP: Readonly<Record<keyof typeof IMP_CODES, CodeHelp>> = {
	IMP001: {
		title: 'Stage with composition errors',
		help: 'Some layer, reference or payload could not be composed, so a part of the asset may be missing from the model. The composition errors themselves are listed beside this one; repair them first.',
	},
	IMP002: {
		title: 'Units of the stage',
		help: 'The stage is not in metres and kilograms, or does not say. The importer converts every quantity by its dimension, unless Newton is followed, which takes numbers as they are. A stage without `metersPerUnit` is taken to be in metres, although OpenUSD has centimetres for it; the option `assumedMetersPerUnit` decides.',
	},
	IMP003: {
		title: 'Further physics scene',
		help: 'A model has one set of scene settings. The first scene of the stage gives gravity, time step and declarations; the others have no effect.',
	},
	IMP004: {
		title: 'Root path without a prim',
		help: 'Nothing is imported, as there is no prim at the path that the import should start at. Check `rootPath` against the prims of the stage.',
	},
	IMP010: {
		title: 'Mirrored body',
		help: 'The transform of a rigid body mirrors space, which no rigid motion does. The body gets a frame that leaves its geometry in place, turned by half a turn. Mirror the mesh instead and give the body a transform without mirroring.',
	},
	IMP020: {
		title: 'Joint without bodies',
		help: 'A joint connects two rigid bodies, or one and the world. Neither of its two targets is or belongs to an imported body, so it is left out.',
	},
	IMP021: {
		title: 'Joint from child to parent',
		help: 'In an articulation `physics:body0` is the body nearer to the root. Newton refuses joints the other way round; swap the two targets and their local frames.',
	},
	IMP022: {
		title: 'Joints that make no tree',
		help: 'The joints of an articulation must connect its bodies without closing a loop. Mark the joint that closes it with `physics:excludeFromArticulation = true`, then it is imported as a loop joint.',
	},
	IMP023: {
		title: 'Articulation that cannot be used',
		help: 'The articulation root leads to no joints, or its bodies belong to another articulation already. Bodies are imported all the same.',
	},
	IMP024: {
		title: 'Merged joints with different anchors',
		help: 'Several joints between the same two bodies become one joint with several axes, which can have one anchor only.',
	},
	IMP025: {
		title: 'Joint that cannot be merged',
		help: 'Of several joints between the same two bodies only those that turn about or slide along one axis can become one. The others are left out.',
	},
	IMP026: {
		title: 'Joint setting without effect',
		help: 'The joint has a setting that joints of models do not have. The rest of the joint is imported.',
	},
	IMP027: {
		title: 'Joint turned round',
		help: 'The joint names the child as `physics:body0`. It is imported from parent to child with its axis reversed, so that coordinates, limits and drives mean the same.',
	},
	IMP028: {
		title: 'Target of a drive outside of the limits',
		help: 'A drive pulls a joint to a place that its limits forbid. The target is kept, so the joint presses against its limit. Change the target or the limits.',
	},
	IMP030: {
		title: 'Collider without a shape',
		help: 'Models have spheres, boxes, capsules, cylinders, cones, planes and meshes. Replace the collider by one of these.',
	},
	IMP031: {
		title: 'Stretched sphere',
		help: 'A sphere whose scale differs between the axes is imported with the largest factor. Use a mesh for an ellipsoid.',
	},
	IMP032: {
		title: 'Mesh data that do not fit together',
		help: 'Points, face counts and face indices of the mesh contradict each other or are missing. The shape is left out.',
	},
	IMP033: {
		title: 'Settings of a distance field',
		help: 'A setting of a signed distance field is out of range or contradicts another one; it counts as not given.',
	},
	IMP034: {
		title: 'Mesh approximated otherwise',
		help: 'The approximation or distance that the asset asks for has no result; the next simpler one is used.',
	},
	IMP035: {
		title: 'Hydroelastic mesh without a distance field',
		help: 'Hydroelastic contact of a mesh needs a signed distance field. Apply NewtonSDFCollisionAPI or author its resolution.',
	},
	IMP036: {
		title: 'Negative wall thickness',
		help: 'The wall of a hollow shape has a thickness of 0 or more.',
	},
	IMP037: {
		title: 'Approximation that does not count',
		help: 'The token of `physics:approximation` is unknown, or another setting of the collider rules it out. The mesh is imported as it is.',
	},
	IMP038: {
		title: 'Sheared shape',
		help: 'Unequal scales above a turned prim shear it. Meshes are imported as sheared; boxes, spheres, capsules, cylinders and cones cannot be, so they are imported with the scale along their own axes.',
	},
	IMP040: {
		title: 'Mass property out of range',
		help: 'Masses and densities are finite and above 0, moments of inertia finite and 0 or more. The value counts as not given; the schema has 0 and infinities for that.',
	},
	IMP041: {
		title: 'Collider without mass',
		help: 'Neither the collider itself nor its geometry gives a mass, so it adds nothing to that of its body.',
	},
	IMP042: {
		title: 'Density beside a mass',
		help: 'A body with a mass of its own takes its inertia from its shapes, scaled to that mass. A density beside it has no effect.',
	},
	IMP043: {
		title: 'Unusable inertia tensor',
		help: '`newton:inertia` holds xx, yy, zz, xy, xz, yz of a symmetric tensor whose principal moments are 0 or more.',
	},
	IMP044: {
		title: 'Body without mass and inertia',
		help: 'MassAPI is applied, but neither it nor a collider gives the body a mass. Forces cannot move it.',
	},
	IMP050: {
		title: 'Filtered pair that is not imported',
		help: 'One end of the pair has no imported shape: it does not exist, is left out, or is no collider, body or articulation.',
	},
	IMP060: {
		title: 'Mimic joint without a leader',
		help: 'The joint follows another one that does not exist or is not imported, so it moves freely.',
	},
	IMP061: {
		title: 'Mimic joint with several axes',
		help: 'A constraint between two coordinates has a meaning for joints with one degree of freedom. On others it holds for each of them alike.',
	},
	IMP062: {
		title: 'Equality constraint that is not imported',
		help: 'What the constraint connects is missing or not imported.',
	},
	IMP063: {
		title: 'Coupling of higher order',
		help: 'Coefficients of the square and higher powers are kept for MuJoCo; other solvers see the linear part.',
	},
	IMP070: {
		title: 'Malformed declaration of a custom attribute',
		help: 'A custom attribute is declared on the physics scene as `newton:name` or `newton:namespace:name`, with a default value and with `assignment` and `frequency` in its customData.',
		language: 'usda',
		bad: '#usda 1.0\ndef PhysicsScene "Scene" {\n    custom float newton:mass_scale = 1.0\n}\n',
		good: '#usda 1.0\ndef PhysicsScene "Scene" {\n    custom float newton:mass_scale = 1.0 (\n        customData = {\n            string assignment = "model"\n            string frequency = "body"\n        }\n    )\n}\n',
	},
	IMP071: {
		title: 'Value of another type than declared',
		help: 'The value cannot be read as the type that the custom attribute was declared with. The default stays.',
	},
	IMP072: {
		title: 'Custom attribute declared twice',
		help: 'A custom attribute of the same key exists with another type, frequency or assignment. The first declaration stays.',
	},
	IMP080: {
		title: 'PointInstancer',
		help: 'What a PointInstancer places is not imported with `newtonCompat`. Otherwise each instance becomes a prim `instance_ID` below the instancer.',
	},
	IMP081: {
		title: 'Feature that is not imported',
		help: 'Cloth, soft bodies, cables, particles and Gaussian splats have no place in rigid-body models. The rest of the stage is imported.',
	},
	IMP082: {
		title: 'Tendon or actuator in part',
		help: 'Something that the tendon or actuator names is missing or of a kind that is not imported.',
	},
	IMP083: {
		title: 'Actuator that is not imported',
		help: 'An actuator drives exactly one joint with one degree of freedom, or one tendon or site, and has one control law.',
	},
	IMP090: {
		title: 'Deprecated attribute',
		help: 'The attribute is still read. Author the one that took its place, as later versions may not read it.',
	},
	IMP091: {
		title: 'Attribute outside of every schema',
		help: 'The attribute is read although no schema defines it. Other tools will not understand it.',
	},
	IMP093: {
		title: 'Joint type that no schema defines',
		help: 'Type names of physics joints begin with `Physics`, such as `PhysicsRevoluteJoint`. The prim is read as if it had that type; other tools will ignore it.',
		language: 'usda',
		bad: '#usda 1.0\ndef RevoluteJoint "elbow" {\n}\n',
		good: '#usda 1.0\ndef PhysicsRevoluteJoint "elbow" {\n}\n',
	},
	IMP100: {
		title: 'Asset that cannot be imported',
		help: 'The file does not exist, may not be read, or is of no format that can be imported: USD (usda, usdc, usdz), URDF (outermost element `robot`) or MJCF (outermost element `mujoco`). The content decides; the extension counts only where it does not.',
	},
	IMP101: {
		title: 'Authored attribute without effect',
		help: 'With `--strict`, every attribute that an asset authors has to reach the model: used, converted, or kept for a solver. This one is ignored; the message says why. Remove it from the asset, or leave `--strict` out.',
	},
	IMP102: {
		title: 'Nothing to explain',
		help: 'The value to explain is written `array[index]` or `array[label]`, with an array of the model by its Newton name, such as `joint_target_ke[3]` or `body_mass[arm/elbow]`. There is no such array, or no such entry.',
	},
};
