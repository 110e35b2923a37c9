import { ControlType } from '../convert/add-target-actuators.ts';
import type { ActuatorSource, Conversion } from '../convert/conversion.ts';
import { MjcfElement } from '../convert/mjcf-element.ts';

/**
 * Writes the actuators of joint targets as `position` and `velocity`, which importers take for targets again. They get
 * the names and the order that they were imported with, and equalities their names.
 */
export function writeTargetElements(conversion: Conversion): void {
	const { attributes, options } = conversion;
	const { children } = conversion.sections.actuator;
	const labels = attributes.texts('actuator_label');
	for (const [i, source] of conversion.actuators.entries()) {
		children[i] = shortcutOf(conversion, children[i]!, source);
		nameFirst(children[i]!, labels?.[source.row]);
	}
	if (!options.newtonCompat) {
		const order = conversion.actuators.map((source, i) => [source, children[i]!] as const);
		order.sort(([a], [b]) => a.row - b.row);
		conversion.actuators.splice(0, order.length, ...order.map(([source]) => source));
		children.splice(0, order.length, ...order.map(([, element]) => element));
	}
	for (const element of conversion.sections.equality.children) {
		if (element.subject?.kind === 'equality') nameFirst(element, element.subject.label);
	}
	for (const section of [conversion.sections.actuator, conversion.sections.equality]) dropRepeatedNames(section);
}

/** The element as a shortcut where it is one: targets, and direct controls that were imported as one, but not of joints. */
function shortcutOf(conversion: Conversion, element: MjcfElement, { source, row, index }: ActuatorSource): MjcfElement {
	const { attributes } = element;
	const words = (name: string): number[] => (attributes.get(name) ?? '0').split(' ').map(Number);
	const type = conversion.attributes.number('ctrl_type', row) ?? ControlType.GENERAL;
	const isPosition = source === 0 ? index >= 0 : type === ControlType.POSITION;
	const [[gain, ...moreGain], [offset, slope, rate, ...moreBias]] = [words('gainprm'), words('biasprm')];
	const damping = -(rate ?? 0);
	const isShortcut =
		(source === 0 || (type !== ControlType.GENERAL && !attributes.has('joint'))) &&
		attributes.get('dyntype') === 'none' &&
		attributes.get('gaintype') === 'fixed' &&
		attributes.get('biastype') === 'affine' &&
		[...moreGain, offset!, ...moreBias].every((number) => number === 0) &&
		// the shortcuts take no negative gains
		gain! >= 0 &&
		(damping >= 0 || isPosition) &&
		(isPosition ? slope === -gain! : slope === 0 && damping === gain);
	if (!isShortcut) return element;
	const shortcut = new MjcfElement(isPosition ? 'position' : 'velocity');
	for (const [name, value] of attributes) if (!GENERAL.has(name)) shortcut.set(name, value);
	if (isPosition) {
		// a positive third number is a ratio of damping
		shortcut.set('kp', gain!).set(damping > 0 ? 'kv' : 'dampratio', damping === 0 ? undefined : Math.abs(damping));
	} else shortcut.set('kv', gain!);
	return element.subject === undefined ? shortcut : shortcut.standFor(element.subject);
}

/** What the shortcuts say by themselves. */
const GENERAL: ReadonlySet<string> = new Set(
	'dyntype gaintype biastype dynprm gainprm biasprm actlimited actrange actdim actearly'.split(' '),
);

/** Puts a name, the last part of a label, before the other attributes. */
function nameFirst(element: MjcfElement, label: string | undefined): void {
	if (label === undefined || label === '') return;
	const rest = [...element.attributes];
	element.attributes.clear();
	element.set('name', label.slice(label.lastIndexOf('/') + 1));
	for (const [name, value] of rest) element.attributes.set(name, value);
}

function dropRepeatedNames(section: MjcfElement): void {
	const names = new Set<string>();
	for (const element of section.children) {
		const name = element.attributes.get('name');
		if (name === undefined) continue;
		if (name === '' || names.has(name)) element.attributes.delete('name');
		names.add(name);
	}
}
