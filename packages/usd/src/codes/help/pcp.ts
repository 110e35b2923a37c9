import type { CodeHelp } from '@manyworlds/core/internal';
import type { PCP_CODES } from '../pcp.ts';

/** What to do about the codes of composition: how layers are put together. */
export const PCP_HELP: Readonly<Record<keyof typeof PCP_CODES, CodeHelp>> = {
	PCP001: {
		title: 'Composition arcs form a cycle',
		help: 'A reference, payload, inherit or specialize leads back to a prim on the way to it, so following it would never end. The arc that closes the cycle is left out. The message has the whole way.',
		bad: '#usda 1.0\ndef "a" (references = </b>)\n{\n}\ndef "b" (references = </a>)\n{\n}\n',
	},
	PCP002: {
		title: 'Sublayers form a cycle',
		help: 'A layer is its own sublayer, directly or through other layers or through a package. The entry that closes the cycle is left out.',
	},
	PCP003: {
		title: 'Layer of a reference or payload cannot be opened',
		help: 'The file that the arc names does not exist, has errors, or must not be read: only files below the folder of the root layer and other folders that were allowed are, and nothing is fetched from a network unless asked for. The prim goes without the arc.',
	},
	PCP004: {
		title: 'Sublayer cannot be opened',
		help: 'The file that `subLayers` names does not exist, has errors, or must not be read: only files below the folder of the root layer and other folders that were allowed are, and nothing is fetched from a network unless asked for. The layer stack goes without it.',
	},
	PCP005: {
		title: 'Target of an arc does not exist',
		help: 'A reference, payload or class arc leads to a prim that no layer has, or to the default prim of a layer that names none. Name a prim that exists, or set `defaultPrim` in the layer.',
	},
	PCP006: {
		title: 'Path of an arc is not usable',
		help: 'The prim path of an arc must be absolute, name a prim, and have no variant selection in it. The arc is left out.',
	},
	PCP007: {
		title: 'Layer offset of an arc is not usable',
		help: 'The offset and scale of a reference or payload must be finite and the scale must not be 0. The arc is followed without them.',
	},
	PCP008: {
		title: 'Layer offset of a sublayer is not usable',
		help: 'The offset and scale of a sublayer must be finite and the scale must not be 0. The sublayer is read without them.',
	},
	PCP009: {
		title: 'Sublayers with the same owner',
		help: 'The layer has owned sublayers, and more than one of them belongs to the owner of the session. Only one may.',
	},
	PCP010: {
		title: 'Expression cannot be evaluated',
		help: 'A path or a variant selection is a variable expression (in backquotes) that is malformed, or uses a variable that has no value or the wrong type.',
	},
	PCP011: {
		title: 'Property is an attribute in one layer and a relationship in another',
		help: 'All specs of a property must be of one kind. The strongest decides; specs of the other kind are ignored.',
	},
	PCP012: {
		title: 'Target outside the scope of an arc',
		help: 'A relationship or connection that arrives by a reference, payload or class arc points at something that the arc does not bring along, so that it has no name on the stage. The target is left out.',
	},
	PCP013: {
		title: 'Target is an instance of the class that targets it',
		help: 'A relationship or connection of a class points at a prim that inherits the class. The target is left out.',
	},
	PCP014: {
		title: 'Relocate is not usable',
		help: 'An entry of `relocates` has a path that is no absolute prim path, moves a prim into or out of itself, or concerns a root prim. The entry is left out.',
	},
	PCP015: {
		title: 'Relocates contradict each other',
		help: 'Two entries of `relocates` exclude each other: one moves what the other has moved, or moves to where another starts. Both are left out.',
	},
	PCP016: {
		title: 'Relocates with the same target',
		help: 'Several entries of `relocates` move prims to one path. All of them are left out.',
	},
	PCP017: {
		title: 'Opinion about a prim that was moved away',
		help: 'A layer has opinions at a path from which `relocates` moved the prim away. They have no effect: write them at the new path.',
	},
	PCP018: {
		title: 'Arc to a prim that was moved away',
		help: 'A reference, payload or class arc leads to a path from which `relocates` moved the prim away. Let it lead to the new path.',
	},
	PCP019: {
		title: 'Composition is too large',
		help: 'The arcs of a prim multiply, nest or imply each other beyond any size that a real asset has, as they do when a class and an asset bring each other in again and again. What was composed so far is kept.',
	},
	PCP020: {
		title: 'Arc to a muted layer',
		help: 'A reference or payload leads to a layer that was muted on the stage. The arc brings nothing until the layer is unmuted.',
	},
};
