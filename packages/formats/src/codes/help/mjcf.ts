import type { CodeHelp } from '@manyworlds/core/internal';
import type { MJCF_CODES } from '../mjcf.ts';

/** What to do about the codes of MJCF documents and their import. */
export const MJCF_HELP: Readonly<Record<keyof typeof MJCF_CODES, CodeHelp>> = {
	MJCF001: {
		title: 'Not an MJCF model',
		help: 'The outermost element of an MJCF file is `mujoco`. Files with another one are something else, such as URDF (`robot`), or a fragment that other files include.',
		bad: '<worldbody/>',
		good: '<mujoco model="arm">\n  <worldbody/>\n</mujoco>',
		language: 'xml',
	},
	MJCF002: {
		title: 'Include cannot be read',
		help: 'The file that an `include` names is looked for beside the file that includes it, then beside the main file. It must exist, be named, and lie in a folder that may be read. The rest of the model is read without it.',
	},
	MJCF003: {
		title: 'File included twice',
		help: 'A file includes itself, directly or through others, or two includes name the same file. MuJoCo allows each file once; the second include is left out.',
	},
	MJCF004: {
		title: 'Includes nested too deeply',
		help: 'Files include files deeper than any real model does. The deepest are left out.',
	},
	MJCF005: {
		title: 'Unknown default class',
		help: 'A `class` or `childclass` names a default class that the model does not have, or a nested `default` has no name. The element keeps the defaults that stand around it.',
		bad: '<geom class="colision" size="1"/>',
		good: '<default>\n  <default class="collision"/>\n</default>',
		language: 'xml',
	},
	MJCF006: {
		title: 'Bad value',
		help: 'The value of an attribute is not what the attribute needs: not a number, not finite, too few or too many numbers, an unknown word, a rotation about an axis of length zero. The default is used instead.',
		bad: '<geom size="nan"/>',
		good: '<geom size="0.1"/>',
		language: 'xml',
	},
	MJCF007: {
		title: 'Unknown element',
		help: 'MJCF has no such element at this place. It is left out, with everything in it.',
	},
	MJCF008: {
		title: 'Element not imported',
		help: 'The model has no counterpart of this element: sensors, cameras, lights, skins, flexible bodies, plugins, custom data, settings of the viewer. The ledger lists its attributes as ignored.',
	},
	MJCF009: {
		title: 'Reference to nothing',
		help: 'An element names a body, joint, geom, site, tendon, mesh, heightfield, material or texture that the model does not have, or that was left out. The element that refers to it is left out.',
	},
	MJCF010: {
		title: 'Asset cannot be read',
		help: 'A mesh, heightfield or texture file is not where the model says, or is not in a format that can be read. Folders come from `meshdir`, `texturedir` and `assetdir` of the `compiler` element. Geoms that need it are left out; everything else is imported.',
	},
	MJCF011: {
		title: 'Free joint below a body',
		help: 'A free joint floats in the world, so only a body directly in the `worldbody` can have one. The body is held by a fixed joint instead.',
	},
	MJCF012: {
		title: 'Bad inertial element',
		help: 'An `inertial` element needs a mass and either `diaginertia` (three numbers) or `fullinertia` (six). Mass and inertia are taken from the geoms instead.',
	},
	MJCF013: {
		title: 'Bad inline asset',
		help: 'The numbers of a mesh or heightfield that is written in the model do not fit together: coordinates not in threes, a face that refers to no vertex, not as many elevations as rows times columns.',
	},
	MJCF014: {
		title: 'Attributes exclude each other',
		help: 'Two attributes of one element say the same thing in different ways, such as `pos` and `fromto` of a site, or several orientations. The first in the order of the documentation counts.',
	},
	MJCF015: {
		title: 'Segment of length zero',
		help: 'The two points of a `fromto` attribute are the same, so they give no direction.',
	},
	MJCF016: {
		title: 'Actuator not supported',
		help: 'The kind of actuator, or its dynamics, gain or bias, has no counterpart. Actuators of unknown kinds are left out; an unknown type falls back to the first of its list.',
	},
	MJCF017: {
		title: 'Name given twice',
		help: 'Two elements of one kind have the same name, or two defaults the same class. References mean the first one; labels stay as they are.',
	},
	MJCF018: {
		title: 'Only partly represented',
		help: 'The model keeps the whole for MuJoCo, but its general form holds only part of it: a joint equality with terms above the linear one, several joints of one body at different points or in an order that a six-axis joint does not have.',
	},
	MJCF019: {
		title: 'Value out of range',
		help: 'A value lies outside the range that it can have, such as an opacity above 1, and is moved to its end.',
	},
	MJCF020: {
		title: 'Inertia required',
		help: 'The compiler setting `inertiafromgeom="false"` says that masses come from `inertial` elements only, and a moving body has none. It stays without mass.',
	},
	MJCF021: {
		title: 'Bad limit parameters',
		help: 'The two numbers of `solreflimit` must both be positive, both negative or both zero. They are kept for MuJoCo, which then divides by zero or drops the limit; the gains of the model stay at their defaults.',
	},
	MJCF022: {
		title: 'Bad slider-crank',
		help: 'An actuator with `cranksite` and `slidersite` needs both sites and a positive `cranklength`.',
	},
	MJCF023: {
		title: 'Too many elements',
		help: 'The model has more elements than are read, most often by nested `replicate` elements whose counts multiply. What is beyond the limit is left out.',
	},
};
