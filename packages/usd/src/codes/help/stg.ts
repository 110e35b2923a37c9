import type { CodeHelp } from '@manyworlds/core/internal';
import type { STG_CODES } from '../stg.ts';

/** What to do about the codes of the stage: value resolution, clips, editing. */
export const STG_HELP: Readonly<Record<keyof typeof STG_CODES, CodeHelp>> = {
	STG001: {
		title: 'Value clips cannot be used',
		help: 'The `clips` of a prim contradict themselves: a clip number that does not exist, two clips active at one time, a prim path that is not absolute. Values come from the other opinions, as if there were no clips.',
	},
	STG002: {
		title: 'Metadata left out of a flattened layer',
		help: 'A flattened stage holds metadata that is registered: fields of the core, of schemas and of plugins. Other fields stay behind, as in OpenUSD. Put what has to survive into `customData`, or flatten the layer stack only, which keeps every field.',
		bad: '#usda 1.0\n\ndef "Robot" (\n    serialNumber = 7\n)\n{\n}\n',
		good: '#usda 1.0\n\ndef "Robot" (\n    customData = {\n        int serialNumber = 7\n    }\n)\n{\n}\n',
	},
	STG003: {
		title: 'Attribute of an unknown type left out of a flattened layer',
		help: 'The type name of the attribute is none that OpenUSD knows, so that no value could be written for it. Correct the type name where the attribute is declared.',
	},
	STG004: {
		title: 'Target left out of a flattened layer',
		help: 'A relationship or connection leads into a prototype that the flattened layer does not have. Point it at a prim of the scene.',
	},
	STG005: {
		title: 'Inactive prim left out of a flattened layer',
		help: 'A flattened stage holds active prims: an inactive one is left out with everything below it. Flatten the layer stack only to keep it.',
	},
	STG006: {
		title: 'Opinion left out of a flattened layer stack',
		help: 'Layers were put together that cannot be expressed in one: a list that is reordered, which only has a meaning above a weaker list, or a spec that is of another kind in a stronger layer. Make the layers agree, or keep them apart.',
	},
};
