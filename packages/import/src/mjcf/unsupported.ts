import { quote } from '@manyworlds/core';
import type { MjcfElement } from '@manyworlds/formats';
import { pathOf } from './attributes.ts';
import type { MjcfContext } from './context.ts';

/** Sections and elements without a counterpart, with why. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
	sensor: 'sensors have no counterpart',
	custom: 'custom data is not kept',
	visual: 'settings of the viewer are not kept',
	statistic: 'statistics are computed',
	size: 'memory is sized by need',
	extension: 'plugins are not run',
	deformable: 'flexible bodies are out of scope',
	camera: 'cameras have no counterpart',
	light: 'lights have no counterpart',
	composite: 'composite bodies are out of scope',
	flexcomp: 'flexible bodies are out of scope',
	plugin: 'plugins are not run',
	attach: 'other models are not attached',
	skin: 'skins have no counterpart',
	flex: 'flexible bodies are out of scope',
	flexvert: 'flexible bodies are out of scope',
	flexstrain: 'flexible bodies are out of scope',
	model: 'other models are not attached',
	replicate: 'copies are not made',
};

const SECTIONS: readonly string[] = [
	...['compiler', 'option', 'asset', 'default', 'worldbody', 'contact', 'equality', 'tendon', 'actuator', 'keyframe'],
	'include',
];
const BODY: readonly string[] = [
	'body',
	'frame',
	'replicate',
	'geom',
	'site',
	'joint',
	'freejoint',
	'inertial',
	'include',
];

/** What may stand in an element and is read. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
	mujoco: SECTIONS,
	worldbody: BODY,
	body: BODY,
	frame: BODY,
	replicate: BODY,
	asset: ['mesh', 'texture', 'material', 'hfield', 'include'],
	contact: ['pair', 'exclude', 'include'],
	equality: ['connect', 'weld', 'joint', 'tendon', 'include'],
	tendon: ['fixed', 'spatial', 'include'],
	fixed: ['joint'],
	option: ['flag'],
	keyframe: ['key', 'include'],
	material: ['layer'],
};

/** Tags whose children are handled, or reported, elsewhere. */
const SKIPPED: readonly string[] = ['actuator', 'default', 'spatial', 'compiler'];

/** Reports elements that are not imported by name and line, and says in the ledger why their attributes are ignored. */
export function reportUnsupported(context: MjcfContext): void {
	const { root } = context.document;
	if (root === undefined) return;
	const stack: MjcfElement[] = [root];
	for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
		const known = KNOWN[element.name];
		for (let i = element.children.length - 1; i >= 0; i--) {
			const child = element.children[i]!;
			if (SKIPPED.includes(element.name)) continue;
			if (known?.includes(child.name)) {
				if (child.name === 'include') context.ledger.use(pathOf(child), 'file');
				stack.push(child);
				continue;
			}
			report(context, child, element);
		}
	}
}

function report(context: MjcfContext, element: MjcfElement, parent: MjcfElement): void {
	const reason = NOT_IMPORTED[element.name];
	const name = element.ownName === undefined ? '' : ` ${quote(element.ownName)}`;
	const inside = element.children.length === 0 ? '' : ` with ${element.children.length} elements`;
	if (reason !== undefined) {
		context.fault('MJCF008', `<${element.name}>${name}${inside} is not imported: ${reason}`, element);
	} else {
		context.fault('MJCF007', `<${element.name}>${name} is not known in <${parent.name}>; it is left out`, element);
	}
	ignoreAll(context, element, reason ?? 'the element is not known');
}

function ignoreAll(context: MjcfContext, root: MjcfElement, reason: string): void {
	const stack = [root];
	for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
		for (const { name } of element.attributes) context.ledger.ignore(pathOf(element), name, reason);
		stack.push(...element.children);
	}
}
