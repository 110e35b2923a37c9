import type { MjcfElement } from '@manyworlds/formats';
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
		// the label of a tendon is its name, or the path of a prim
		const plain = kind === 'tendon' && !label.startsWith('/') ? label : ownName(label, labelAround(element, subjects));
		const short = names.take(`${plain || name}${axis}`);
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

/** Label of the body that an element stands in, undefined on the world. */
function labelAround(element: MjcfElement, subjects: Conversion['subjects']): string | undefined {
	return element.parent === undefined ? undefined : subjects.get(element.parent)?.label;
}

/**
 * What a label adds to that of the body around it: a name of a file may have slashes of its own. On the world it is what
 * comes after `worldbody`; labels that are not built so have their last part.
 */
function ownName(label: string, around: string | undefined): string {
	const last = label.slice(label.lastIndexOf('/') + 1);
	// the label of a prim is its path
	if (label.startsWith('/')) return last;
	if (around !== undefined && label.startsWith(`${around}/`)) return label.slice(around.length + 1);
	const world = /^(?:[^/]+\/)?worldbody\//.exec(label);
	if (around === undefined && world !== null) return label.slice(world[0].length);
	return last;
}
