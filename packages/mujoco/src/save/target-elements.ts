import { MjcfElement } from '@manyworlds/formats';
import { ControlType } from '../convert/add-target-actuators.ts';
import type { ActuatorSource, Conversion } from '../convert/conversion.ts';
import { standFor } from '../convert/subject.ts';

/**
 * Writes the actuators of joint targets as `position` and `velocity`, which importers take for targets again. They get
 * the names and the order that they were imported with, and equalities their names.
 */
export function writeTargetElements(conversion: Conversion): void {
	const { attributes, options } = conversion;
	const { actuator } = conversion.sections;
	const labels = attributes.texts('actuator_label');
	const order = conversion.actuators.map((source, i) => {
		const element = shortcutOf(conversion, actuator.children[i]!, source);
		nameFirst(element, labels?.[source.row]);
		return [source, element] as const;
	});
	if (!options.newtonCompat) order.sort(([a], [b]) => a.row - b.row);
	conversion.actuators.splice(0, order.length, ...order.map(([source]) => source));
	actuator.replaceChildren(order.map(([, element]) => element));
	for (const element of conversion.sections.equality.children) {
		const subject = conversion.subjects.get(element);
		if (subject?.kind === 'equality') nameFirst(element, subject.label);
	}
	for (const section of [conversion.sections.actuator, conversion.sections.equality]) dropRepeatedNames(section);
}

/** The element as a shortcut where it is one: targets, and direct controls that were imported as one, but not of joints. */
function shortcutOf(conversion: Conversion, element: MjcfElement, { source, row, index }: ActuatorSource): MjcfElement {
	const words = (name: string): number[] => (element.get(name) ?? '0').split(' ').map(Number);
	const type = conversion.attributes.number('ctrl_type', row) ?? ControlType.GENERAL;
	const isPosition = source === 0 ? index >= 0 : type === ControlType.POSITION;
	const [[gain, ...moreGain], [offset, slope, rate, ...moreBias]] = [words('gainprm'), words('biasprm')];
	const damping = -(rate ?? 0);
	const isShortcut =
		(source === 0 || (type !== ControlType.GENERAL && !element.has('joint'))) &&
		element.get('dyntype') === 'none' &&
		element.get('gaintype') === 'fixed' &&
		element.get('biastype') === 'affine' &&
		[...moreGain, offset!, ...moreBias].every((number) => number === 0) &&
		// the shortcuts take no negative gains
		gain! >= 0 &&
		(damping >= 0 || isPosition) &&
		(isPosition ? slope === -gain! : slope === 0 && damping === gain);
	if (!isShortcut) return element;
	const shortcut = new MjcfElement(isPosition ? 'position' : 'velocity');
	for (const { name, value } of element.attributes) if (!GENERAL.has(name)) shortcut.set(name, value);
	if (isPosition) {
		// a positive third number is a ratio of damping
		shortcut.set('kp', gain!).set(damping > 0 ? 'kv' : 'dampratio', damping === 0 ? undefined : Math.abs(damping));
	} else shortcut.set('kv', gain!);
	const subject = conversion.subjects.get(element);
	return subject === undefined ? shortcut : standFor(conversion, shortcut, subject);
}

/** What the shortcuts say by themselves. */
const GENERAL: ReadonlySet<string> = new Set(
	'dyntype gaintype biastype dynprm gainprm biasprm actlimited actrange actdim actearly'.split(' '),
);

/** Puts a name, the last part of a label, before the other attributes. */
function nameFirst(element: MjcfElement, label: string | undefined): void {
	if (label === undefined || label === '') return;
	const rest = element.attributes.slice();
	for (const { name } of rest) element.delete(name);
	element.set('name', label.slice(label.lastIndexOf('/') + 1));
	for (const { name, value } of rest) element.set(name, value);
}

function dropRepeatedNames(section: MjcfElement): void {
	const names = new Set<string>();
	for (const element of section.children) {
		const name = element.get('name');
		if (name === undefined) continue;
		if (name === '' || names.has(name)) element.delete('name');
		names.add(name);
	}
}
