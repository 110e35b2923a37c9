import type { CodeHelp } from '@manyworlds/core/internal';
import type { VIEW_CODES } from '../view.ts';

/** What to do about the codes of the views on prims: transforms, geometry, materials, physics. */
export const VIEW_HELP: Readonly<Record<keyof typeof VIEW_CODES, CodeHelp>> = {
	VIEW001: {
		title: 'Transform operation cannot be used',
		help: '`xformOpOrder` names an operation whose attribute does not exist, is of an unknown kind, is listed twice, or has a value that its kind cannot take. The operation is left out of the transform.',
		bad: '#usda 1.0\ndef Xform "A"\n{\n\tuniform token[] xformOpOrder = ["xformOp:translate"]\n}',
		good: '#usda 1.0\ndef Xform "A"\n{\n\tdouble3 xformOp:translate = (1, 0, 0)\n\tuniform token[] xformOpOrder = ["xformOp:translate"]\n}',
	},
	VIEW002: {
		title: 'Geometry contradicts itself',
		help: 'Arrays of a geometric prim do not fit together: an index beyond the end of what it refers to, arrays of different lengths, a prototype that does not exist. What can still be told is given, the rest is left out.',
	},
	VIEW003: {
		title: 'Material binding or connection leads nowhere',
		help: 'A material binding names something that is not a material, or a connection names a property that does not exist or goes round in a circle. It counts as absent.',
	},
	VIEW004: {
		title: 'Physics object cannot be used',
		help: 'A physics prim lacks something that it cannot do without: a collider on a prim without a shape, points without widths, an articulation without a root. Its descriptor is marked as invalid or left out.',
	},
};
