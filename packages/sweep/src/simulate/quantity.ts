import { quote } from '@manyworlds/core';
import { JointType, type Model, type State } from '@manyworlds/model';
import { nearestName } from '@manyworlds/scene/internal';
import { energyOf, type WorldStatistics } from '@manyworlds/worlds';
import { worldRows } from '@manyworlds/worlds/internal';

/** A world at one time, as metrics see it. */
export interface WorldSample {
	readonly state: State;
	readonly statistics: WorldStatistics;
	readonly world: number;
	/** [s] */
	readonly time: number;
	/** Kinetic and potential energy [J]; filled where {@link needsEnergy} says so. */
	readonly energy: { kinetic: number; potential: number };
}

/** Reads one number of a world. */
export type ReadQuantity = (sample: WorldSample) => number;

/** Numbers of a world that are no part of a body or joint. */
const PLAIN: Readonly<Record<string, ReadQuantity>> = {
	time: ({ time }) => time,
	energy: ({ energy }) => energy.kinetic + energy.potential,
	kinetic: ({ energy }) => energy.kinetic,
	potential: ({ energy }) => energy.potential,
	contacts: ({ statistics, world }) => statistics.contactCount[world]!,
	iterations: ({ statistics, world }) => statistics.iterationCount[world]!,
	residual: ({ statistics, world }) => statistics.residual[world]!,
	work: ({ statistics, world }) => statistics.work[world]!,
	energy_gain: ({ statistics, world }) => statistics.energyGain[world]!,
};

const POSE = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'];
const VELOCITY = ['x', 'y', 'z', 'wx', 'wy', 'wz'];

/** Whether reading a quantity needs the energy of the bodies. */
export function needsEnergy(name: string): boolean {
	return name === 'energy' || name === 'kinetic' || name === 'potential';
}

/** Whether reading a quantity needs the books of the solver's energy. */
export function needsAccount(name: string): boolean {
	return name === 'work' || name === 'energy_gain';
}

/** Fills the energy of a sample. */
export function fillEnergy(model: Model, sample: WorldSample): void {
	const { kinetic, potential } = energyOf(model, sample.state, sample.world);
	sample.energy.kinetic = kinetic;
	sample.energy.potential = potential;
}

/** What a quantity reads in a world; a text says why there is none. */
export function findQuantity(model: Model, world: number, name: string): ReadQuantity | string {
	if (Object.hasOwn(PLAIN, name)) return PLAIN[name]!;
	if (name === 'height') return heightOf(model, world);
	const at = name.indexOf(':');
	const kind = at < 0 ? name : name.slice(0, at);
	if (at < 0 || !['position', 'velocity', 'body_q', 'body_qd', 'joint_q', 'joint_qd'].includes(kind)) {
		const known = [...Object.keys(PLAIN), 'height', 'position:', 'velocity:', 'joint_q:', 'joint_qd:'];
		const similar = nearestName(name, known);
		return `there is no quantity ${quote(name)}${similar === undefined ? `, expected ${known.join(', ')}` : `; did you mean '${similar}'?`}`;
	}
	const { label, component } = partsOf(name.slice(at + 1));
	const isRate = kind === 'velocity' || kind.endsWith('qd');
	if (kind !== 'joint_q' && kind !== 'joint_qd') {
		const body = indexOf(model.bodyLabels, worldRows(model, 'body', world), label);
		if (body !== undefined) return bodyNumber(body, component, isRate, label);
		if (kind.startsWith('body')) return unknownLabel(model.bodyLabels, 'body', label);
	}
	const joint = indexOf(model.jointLabels, worldRows(model, 'joint', world), label);
	if (joint === undefined)
		return unknownLabel(
			[...model.bodyLabels, ...model.jointLabels],
			kind.startsWith('joint') ? 'joint' : 'body or joint',
			label,
		);
	return jointNumber(model, joint, component, isRate, label);
}

function bodyNumber(
	body: number,
	component: string | undefined,
	isRate: boolean,
	label: string,
): ReadQuantity | string {
	const names = isRate ? VELOCITY : POSE;
	const at = component === undefined ? -1 : names.indexOf(component);
	if (at < 0)
		return `body ${quote(label)} has ${component === undefined ? 'several numbers' : `no ${quote(component)}`}, expected ${names.map((one) => `.${one}`).join(', ')}`;
	const index = names.length * body + at;
	return isRate ? ({ state }) => state.bodyQd[index]! : ({ state }) => state.bodyQ[index]!;
}

function jointNumber(
	model: Model,
	joint: number,
	component: string | undefined,
	isRate: boolean,
	label: string,
): ReadQuantity | string {
	const starts = isRate ? model.jointQdStart : model.jointQStart;
	const start = starts[joint]!;
	const count = starts[joint + 1]! - start;
	const isFree = model.jointType[joint] === JointType.FREE || model.jointType[joint] === JointType.DISTANCE;
	const names = isFree ? (isRate ? VELOCITY : POSE) : Array.from({ length: count }, (_, i) => String(i));
	const at = component === undefined ? (count === 1 ? 0 : -1) : names.indexOf(component);
	if (at < 0 || at >= count)
		return `joint ${quote(label)} has ${count} numbers, expected ${
			names
				.slice(0, count)
				.map((one) => `.${one}`)
				.join(', ') || 'another joint'
		}`;
	const index = start + at;
	return isRate ? ({ state }) => state.jointQd[index]! : ({ state }) => state.jointQ[index]!;
}

function heightOf(model: Model, world: number): ReadQuantity | string {
	const up = 'xyz'.indexOf(model.upAxis);
	const { start, end } = worldRows(model, 'joint', world);
	for (let joint = start; joint < end; joint++) {
		if (model.jointParent[joint] !== -1 || model.jointType[joint] !== JointType.FREE) continue;
		const index = 7 * model.jointChild[joint]! + up;
		return ({ state }) => state.bodyQ[index]!;
	}
	return 'nothing floats, so that there is no height';
}

/** A label, and behind its last dot the name of a number, if there is one. */
function partsOf(text: string): { readonly label: string; readonly component: string | undefined } {
	const quoted = /^"([^"]*)"(?:\.(\w+))?$/.exec(text);
	if (quoted !== null) return { label: quoted[1]!, component: quoted[2] };
	const match = /^(.*)\.([a-z]{1,2}|\d+)$/.exec(text);
	return match === null ? { label: text, component: undefined } : { label: match[1]!, component: match[2]! };
}

/** The row of a label in a world: the whole label, or its last part where only one label ends with it. */
function indexOf(
	labels: readonly string[],
	{ start, end }: { readonly start: number; readonly end: number },
	label: string,
): number | undefined {
	for (let i = start; i < end; i++) if (labels[i] === label) return i;
	let found: number | undefined;
	for (let i = start; i < end; i++) {
		if (!labels[i]!.endsWith(`/${label}`)) continue;
		if (found !== undefined) return undefined;
		found = i;
	}
	return found;
}

function unknownLabel(labels: readonly string[], kind: string, label: string): string {
	const similar = nearestName(label, [...labels, ...labels.map((one) => one.slice(one.lastIndexOf('/') + 1))]);
	const some = labels
		.slice(0, 4)
		.map((one) => quote(one))
		.join(', ');
	return `no ${kind} has the label ${quote(label)}${similar === undefined ? `, expected one of ${some}${labels.length > 4 ? ', …' : ''}` : `; did you mean '${similar}'?`}`;
}
