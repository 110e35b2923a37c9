import type { CodeHelp } from '@manyworlds/core/internal';
import type { MODEL_CODES } from '../model.ts';

/** What to do about the codes of models and their builders: refused calls (thrown as `ModelError`) and warnings. */
export const MODEL_HELP: Readonly<Record<keyof typeof MODEL_CODES, CodeHelp>> = {
	MODEL001: {
		title: 'Wrong numbers',
		help: 'An argument has the wrong number of numbers, a NaN or a direction of length zero. The message names the argument and what it should be. Transforms are position and quaternion x y z w.',
	},
	MODEL002: {
		title: 'Bad density or mass',
		help: 'A density must be finite and not negative; 0 adds no mass. A body needs a mass of 0 or more.',
	},
	MODEL003: {
		title: 'Site with collision or mass',
		help: 'A site only marks a place: no collision, density 0, collision group 0. Make its settings with `siteConfig()` or use `addSite()`.',
	},
	MODEL004: {
		title: 'Index out of range',
		help: 'A body, joint, shape or world of this index does not exist in this builder or model. -1 stands for the world as a body and for global entities as a world, where that is allowed.',
	},
	MODEL005: {
		title: 'Impossible joint',
		help: 'A joint needs two different bodies (the parent may be the world, -1) and at most three linear and three angular axes.',
	},
	MODEL006: {
		title: 'Entities of different worlds',
		help: 'What belongs together must be in one world: a joint and its bodies, an articulation or constraint and its joints, a shape and its body. Add it between the `beginWorld()` and `endWorld()` of that world.',
	},
	MODEL007: {
		title: 'Kinematic body below another body',
		help: 'A kinematic body moves as prescribed, so no other body can carry it: its joint must have the world as parent.',
	},
	MODEL008: {
		title: 'Impossible shape',
		help: 'The size of the shape makes no shape: a cone of negative height, a mirrored heightfield, a barrel flatter than its half height, a wall thicker than the shape, a mesh shape without a mesh.',
	},
	MODEL009: {
		title: 'World opened or closed at the wrong time',
		help: 'Worlds do not nest: every `beginWorld()` needs its `endWorld()` before the next one, and `replicate()` and `addWorld()` open worlds themselves. `withWorld()` closes the world even when the code inside throws.',
	},
	MODEL010: {
		title: 'Wrong number of transforms',
		help: '`replicate()` with `xforms` needs one transform for each world.',
	},
	MODEL011: {
		title: 'Builders that cannot be merged',
		help: 'Both builders need the same up axis, and a builder cannot be merged into itself. Nothing was merged.',
	},
	MODEL012: {
		title: 'Joints that make no articulation',
		help: 'An articulation is a tree of joints with consecutive indices, each joint in one articulation only, each body moved by one joint only. Leave joints that close loops out of it and add the joints of one articulation before those of the next.',
	},
	MODEL013: {
		title: 'Entities not grouped by world',
		help: 'World indices must ascend, without holes, and global entities (-1) must stand before the first or after the last world. Add globals before `beginWorld()` of the first world or after `endWorld()` of the last.',
	},
	MODEL014: {
		title: 'Joint without articulation',
		help: 'A joint must belong to an articulation, or hang on the world, or close a loop onto a body that an articulation moves already. Call `addArticulation()` with the joints of each tree.',
	},
	MODEL015: {
		title: 'Broken structure',
		help: 'An array refers to an entity that does not exist, a joint moves its own parent, or start indices do not ascend. The message names the array and the entity.',
	},
	MODEL016: {
		title: 'Bad collision filter pair',
		help: 'A pair of shapes that never collide names a shape that does not exist.',
	},
	MODEL017: {
		title: 'Joints form a cycle',
		help: 'Following parents from a body leads back to it. Leave the joint that closes the loop out of the articulation.',
	},
	MODEL020: {
		title: 'Attribute value of the wrong type',
		help: 'The value does not fit the declared type of the custom attribute: one number, several, or a text.',
	},
	MODEL021: {
		title: 'Undeclared frequency',
		help: 'A frequency of your own is declared with `defineFrequency()` before attributes and rows use it.',
	},
	MODEL022: {
		title: 'Attribute declared twice, differently',
		help: 'Two declarations of one key must agree in type, frequency, owner, references and default, within a builder and between builders that are merged.',
	},
	MODEL023: {
		title: 'Bad frequency name',
		help: 'A frequency needs a namespace and a name, neither empty and neither with a colon.',
	},
	MODEL024: {
		title: 'Undeclared attribute',
		help: 'The key names no custom attribute here. Declare it with `defineAttribute()` first; attributes with owner `state`, `control` or `contacts` are held by those objects and not by the model.',
	},
	MODEL025: {
		title: 'Attribute of another frequency',
		help: 'The attribute is declared for another kind of entity than the one it was given to.',
	},
	MODEL026: {
		title: 'Wrong number of attribute values',
		help: 'A joint takes one value for each degree of freedom, coordinate or constraint: a list with exactly as many, a map from position to value, or one value for all.',
	},
	MODEL027: {
		title: 'Attribute refers to nothing known',
		help: '`references` names the entity whose indices the values are, or a frequency of your own that is declared.',
	},
	MODEL030: {
		title: 'Two joints between the same bodies',
		help: 'Solvers disagree about what two joints between the same two bodies mean. With a free joint they contradict each other: use `addLink()`, not `addBody()`, for bodies that other joints move.',
	},
	MODEL031: {
		title: 'Negative gap',
		help: 'A shape that collides has a gap below zero, so contacts are found only after surfaces overlap. Give a gap of 0 or more.',
	},
	MODEL032: {
		title: 'Mass or inertia corrected',
		help: 'The mass or inertia of a body was not physical (not finite, negative, not symmetric, not positive, against the triangle inequality, or below the bounds of the builder) and was corrected in the model. The builder keeps what was given.',
	},
	MODEL033: {
		title: 'Kept fixed joint moves a massless body',
		help: '`jointsToKeep` keeps a fixed joint whose child has no mass; solvers may not handle such a body.',
	},
	MODEL034: {
		title: 'Joints not in tree order',
		help: 'The joints of an articulation do not go depth first from parent to child. Kinematics visit joints in index order and need parents before children. Add joints in that order, or call `sortJoints()` on the builder.',
	},
	MODEL035: {
		title: 'Hollow shape without wall',
		help: 'A hollow shape takes its wall thickness from `margin`, which is 0, so it adds no mass.',
	},
	MODEL040: {
		title: 'Unknown array',
		help: 'The model has no array of this name. Names are Newton’s, such as `body_q`.',
	},
	MODEL041: {
		title: 'Bad snapshot',
		help: 'The data is not a snapshot of a model or state that this version can read, or it was cut or changed. The message says what was found.',
	},
	MODEL042: {
		title: 'States of different models',
		help: 'Copying needs the same arrays of the same sizes on both sides. Create both from one model, with the same options.',
	},
	MODEL050: {
		title: 'Bad choice of articulations',
		help: 'Articulations are chosen by a mask with one entry each, by worlds or by a list of indices, not by several of these at once, and only among those that exist.',
	},
	MODEL051: {
		title: 'Array of the wrong size',
		help: 'An array that a computation reads or fills has another number of entries than the model needs. The message gives both numbers.',
	},
	MODEL060: {
		title: 'Bad selection',
		help: 'A pattern matches nothing, worlds differ where equal ones are needed, or a mask or array does not fit the selection. The message says which. The flat layout handles worlds that differ.',
	},
};
