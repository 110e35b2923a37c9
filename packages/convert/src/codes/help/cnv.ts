import type { CodeHelp } from '@manyworlds/core/internal';
import type { CNV_CODES } from '../cnv.ts';

/** What to do about the codes of conversions. */
export const CNV_HELP: Readonly<Record<keyof typeof CNV_CODES, CodeHelp>> = {
	CNV001: {
		title: 'File cannot be found',
		help: 'A mesh or image that the robot names is not where it says. Addresses of the form `package://name/file` are looked up in the folders given by `--packages`, then in folders of that name above the robot. The shape is left out, or loses its image.',
	},
	CNV002: {
		title: 'Mesh without triangles',
		help: 'The file is there, but holds no triangles that can be read. The shape is left out.',
	},
	CNV003: {
		title: 'Robot cannot be converted',
		help: 'The source holds no robot: no link, no body. Nothing is written.',
	},
	CNV004: {
		title: 'Joint closes a loop',
		help: 'A joint leads to a link that another joint holds already. It is kept as a joint that closes a loop, which some formats cannot hold.',
	},
	CNV005: {
		title: 'Approximated in the target',
		help: 'The target has no exact counterpart, so the nearest one was written. The message says what and how.',
	},
	CNV006: {
		title: 'Lost in the target',
		help: 'The target cannot hold this, so it was left out. The message says the nearest alternative. The result is usable, but it is not the same robot.',
	},
	CNV007: {
		title: 'Joint follows one that is not there',
		help: 'A `mimic` names a joint that the robot does not have. The joint is written without it.',
	},
	CNV008: {
		title: 'Joint between a part and itself',
		help: 'Both ends of a joint are on the same link, or its child is the world. It moves nothing and is left out.',
	},
	CNV009: {
		title: 'Variant cannot be selected',
		help: 'The stage has no such prim, the prim no such variant set, or the set no such variant. Selections are written as `/prim:set=variant`; `manyworlds inspect FILE --stage` lists the sets. The authored selection stays.',
	},
	CNV010: {
		title: 'Base held by assumption',
		help: 'URDF does not say whether the root link is held by the world or moves freely, and the target has to say it. Importers hold it, so it is written as held; `--base floating` lets it move.',
	},
	CNV011: {
		title: 'Chain too long for readers of MJCF',
		help: 'MJCF nests each link in the one that holds it, and MuJoCo reads XML to a depth of 500 elements. The file is whole, but MuJoCo refuses it. SDF and URDF list links side by side and have no such limit.',
	},
};
