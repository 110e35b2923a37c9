import type { CodeHelp } from '@manyworlds/core/internal';
import type { MJC_CODES } from '../mjc.ts';

/** What to do about the codes of the conversion of a model to MuJoCo and of its solver. */
export const MJC_HELP: Readonly<Record<keyof typeof MJC_CODES, CodeHelp>> = {
	MJC001: {
		title: 'Model that MuJoCo cannot hold',
		help: 'The model as a whole cannot be converted: it has no joint, global bodies or joints, or bodies that no joint connects to the world. The message names them. Put every body in a world and give each tree a joint to the world.',
	},
	MJC002: {
		title: 'Worlds of different structure',
		help: 'One compiled MuJoCo model serves all worlds, so they need the same bodies, joints, shapes and constraints, of the same types and in the same order. The message names the first difference. Values (masses, gains, poses, frictions) may differ.',
	},
	MJC003: {
		title: 'Bad solver option',
		help: 'An option of SolverMujoco has a value that MuJoCo does not know or cannot use. The message names the option, the value and what is allowed.',
	},
	MJC004: {
		title: 'Refused by MuJoCo',
		help: 'MuJoCo compiled the converted model and refused it. The message is its own, followed by the body, joint or shape of the model that the element stands for. Frequent causes: a moving body without mass, an inertia that breaks the triangle inequality, a mesh without volume.',
	},
	MJC005: {
		title: 'Shape that MuJoCo does not have',
		help: 'Cones and planes on bodies have no counterpart in MuJoCo, nor have flat meshes when MuJoCo finds the contacts. Replace the shape (a cone by its convex mesh), or let the collision pipeline of Manyworlds find the contacts.',
	},
	MJC006: {
		title: 'Joint that MuJoCo does not have',
		help: 'This joint type cannot be part of a tree in MuJoCo. Free joints need the world as parent.',
	},
	MJC007: {
		title: 'Number that MuJoCo cannot take',
		help: 'A value of the model is not a number, is infinite or is a negative mass. MuJoCo would take some of these and then not move, or fail far from the cause. The message names the value and what it belongs to.',
	},
	MJC010: {
		title: 'Joint outside articulations taken as root',
		help: 'A joint that belongs to no articulation connects its body to the world; the body becomes a root of its own. Add the joint to an articulation to make that explicit.',
	},
	MJC011: {
		title: 'Joints not in depth-first order',
		help: 'MuJoCo orders bodies depth first. The joints of the model have another order; indices are mapped, so results are not affected, but orders of names differ between the two.',
	},
	MJC012: {
		title: 'Loop closure left out',
		help: 'MuJoCo closes loops by equality constraints, which exist for fixed joints, one rotation or three rotations. Another joint was used to close a loop; the loop stays open.',
	},
	MJC013: {
		title: 'Constraint left out',
		help: 'A mimic, equality, tendon, actuator or contact pair refers to something that is not in the converted model or that MuJoCo cannot couple. The message names both. The rest is converted.',
	},
	MJC014: {
		title: 'Collision filter not exact',
		help: 'MuJoCo filters collisions by 32 bits. The groups and filter pairs of this model need more; some pairs that should be filtered collide. The message counts them. Fewer groups, or filters between whole bodies, fit.',
	},
	MJC015: {
		title: 'Bad limit parameters',
		help: 'The two numbers of an authored `solreflimit` must both be positive, both negative or both zero. MuJoCo divides by zero or drops the limit otherwise.',
	},
	MJC016: {
		title: 'Contact gains that MuJoCo contacts cannot follow',
		help: 'Shapes ask for force-space contact stiffness, which depends on both bodies of a contact. MuJoCo mixes its own parameters when it finds the contacts itself. Use `useMujocoContacts: false` for the exact stiffness.',
	},
	MJC017: {
		title: 'Margin not forwarded',
		help: 'With `newtonCompat`, a model with boxes has all contact margins zeroed, as Newton does for its GPU engine. Leave the option out to keep the margins: the engine of this package has no such restriction.',
	},
	MJC018: {
		title: 'Not represented in MuJoCo',
		help: 'A property of the model has no counterpart in MuJoCo and was left out: velocity limits, gaps, drives and limits of loop joints.',
	},
	MJC019: {
		title: 'Distance joint taken as a free joint',
		help: 'MuJoCo has no joint that keeps a distance. The body moves freely; the message names it. A spatial tendon with a range (`mujoco:tendon_*`) keeps two sites within a distance.',
	},
	MJC020: {
		title: 'World diverged',
		help: 'MuJoCo found a position, velocity or acceleration that is not finite or too large. The world is stopped at its last good state; the others go on. Smaller steps, softer gains or a correction of the masses help.',
	},
	MJC021: {
		title: 'Lost in MJCF',
		help: 'A property of the model cannot be written to MJCF: force-space limit gains, per-world values, per-axis damping of free joints. Loading the file gives the model without it.',
	},
	MJC022: {
		title: 'Mass or inertia changed for MuJoCo',
		help: 'MuJoCo refuses moving bodies without mass, and inertias of which two moments are less than the third, which thin plates have by rounding. The message says what was added; it does not change the motion.',
	},
};
