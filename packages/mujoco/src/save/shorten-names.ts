import type { MjcfElement } from '../convert/mjcf-element.ts';
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
	refsite: 'site',
	cranksite: 'site',
	slidersite: 'site',
	sidesite: 'site',
	mesh: 'mesh',
	hfield: 'hfield',
	tendon: 'tendon',
};

/** Ending of the name of one axis of a joint with several. */
const AXIS = /_(?:lin|ang)\d?$/;

/** Calls everything by the last part of its label, numbered where two have the same. */
export function shortenNames(root: MjcfElement): void {
	const renamed = new Map<string, Map<string, string>>();
	const taken = new Map<string, UniqueNames>();
	const visit = (element: MjcfElement, use: (own: MjcfElement) => void): void => {
		use(element);
		for (const child of element.children) visit(child, use);
	};
	visit(root, (element) => {
		const kind = GIVEN[element.tag];
		const name = element.attributes.get('name');
		if (kind === undefined || name === undefined) return;
		let names = taken.get(kind);
		if (names === undefined) {
			names = new UniqueNames();
			if (kind === 'body') names.take('world');
			taken.set(kind, names);
		}
		const label = element.subject?.label ?? name;
		const axis = kind === 'joint' && !label.endsWith(AXIS.exec(name)?.[0] ?? '?') ? (AXIS.exec(name)?.[0] ?? '') : '';
		const short = names.take(`${label.slice(label.lastIndexOf('/') + 1) || name}${axis}`);
		element.set('name', short);
		let own = renamed.get(kind);
		if (own === undefined) {
			own = new Map();
			renamed.set(kind, own);
		}
		own.set(name, short);
	});
	visit(root, (element) => {
		for (const [attribute, value] of element.attributes) {
			const kind = REFERRED[attribute];
			const short = kind === undefined ? undefined : renamed.get(kind)?.get(value);
			if (short !== undefined) element.attributes.set(attribute, short);
		}
	});
}
