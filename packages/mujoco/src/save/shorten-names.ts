import type { Conversion } from '../convert/conversion.ts';
import { UniqueNames } from '../convert/unique-names.ts';

/** Kinds of names, by the tags that give them. */
const GIVEN: Readonly<Record<string, string>> = {
	body: 'body',
	joint: 'joint',
	geom: 'geom',
	site: 'site',
	mesh: 'mesh',
	hfield: 'hfield',
	fixed: 'tendon',
	spatial: 'tendon',
};

/** Kinds of names, by the attributes that refer to them. */
const REFERRED: Readonly<Record<string, string>> = {
	body: 'body',
	body1: 'body',
	body2: 'body',
	joint: 'joint',
	joint1: 'joint',
	joint2: 'joint',
	jointinparent: 'joint',
	geom: 'geom',
	geom1: 'geom',
	geom2: 'geom',
	site: 'site',
	site1: 'site',
	site2: 'site',
	refsite: 'site',
	cranksite: 'site',
	slidersite: 'site',
	sidesite: 'site',
	mesh: 'mesh',
	hfield: 'hfield',
	tendon: 'tendon',
	tendon1: 'tendon',
	tendon2: 'tendon',
};

/** Ending of the name of one axis of a joint with several. */
const AXIS = /_(?:lin|ang)\d?$/;

/** Calls everything by the last part of its label, numbered where two have the same. */
export function shortenNames({ sections, subjects }: Conversion): void {
	const renamed = new Map<string, Map<string, string>>();
	const taken = new Map<string, UniqueNames>();
	for (const element of sections.document.elements()) {
		const kind = GIVEN[element.name];
		const name = element.get('name');
		if (kind === undefined || name === undefined) continue;
		let names = taken.get(kind);
		if (names === undefined) {
			names = new UniqueNames();
			if (kind === 'body') names.take('world');
			taken.set(kind, names);
		}
		const label = subjects.get(element)?.label ?? name;
		const axis = kind === 'joint' && !label.endsWith(AXIS.exec(name)?.[0] ?? '?') ? (AXIS.exec(name)?.[0] ?? '') : '';
		const short = names.take(`${label.slice(label.lastIndexOf('/') + 1) || name}${axis}`);
		element.set('name', short);
		let own = renamed.get(kind);
		if (own === undefined) {
			own = new Map();
			renamed.set(kind, own);
		}
		own.set(name, short);
	}
	for (const element of sections.document.elements()) {
		for (const { name, value } of element.attributes) {
			const kind = REFERRED[name];
			const short = kind === undefined ? undefined : renamed.get(kind)?.get(value);
			if (short !== undefined) element.set(name, short);
		}
	}
}
