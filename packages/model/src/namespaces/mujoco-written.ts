import type { AttributeDeclaration, AttributeFrequency } from '../attribute-types.ts';
import type { ModelBuilder } from '../model-builder.ts';

/** Elements of MJCF that have attributes, or forms, which only MuJoCo simulates. */
export type MujocoWrittenKind = 'joint' | 'geom' | 'pair' | 'actuator' | 'option' | 'flag' | 'equality';

/** What one value of an attribute belongs to. */
const FREQUENCIES: Readonly<Record<MujocoWrittenKind, AttributeFrequency>> = {
	joint: 'jointDof',
	geom: 'shape',
	pair: 'mujoco:pair',
	actuator: 'mujoco:actuator',
	option: 'once',
	flag: 'once',
	equality: 'equalityConstraint',
};

/** Attributes of MJCF that are kept as they are written, by element. Numbers of the model are not among them. */
export const MUJOCO_WRITTEN_ATTRIBUTES: Readonly<Record<Exclude<MujocoWrittenKind, 'equality'>, readonly string[]>> = {
	joint: ['springdamper'],
	geom: ['fluidshape', 'fluidcoef', 'adhesion', 'surfacevel'],
	pair: ['adhesion'],
	actuator: [
		...['armature', 'damping', 'delay', 'nsample', 'interp', 'ffrange', 'velrange', 'input', 'group', 'lengthrange'],
	],
	option: [
		...['noslip_iterations', 'noslip_tolerance', 'o_margin', 'o_solref', 'o_solimp', 'o_friction'],
		'actuatorgroupdisable',
	],
	flag: [
		...['constraint', 'equality', 'frictionloss', 'limit', 'contact', 'spring', 'damper', 'gravity', 'clampctrl'],
		...['warmstart', 'filterparent', 'actuation', 'refsafe', 'midphase', 'eulerdamp', 'autoreset', 'nativeccd'],
		...['island', 'multiccd', 'override', 'energy', 'fwdinv', 'invdiscrete', 'diagexact', 'ipc'],
	],
};

/** The key of what is kept as text of an element. */
export function mujocoWrittenKey(kind: MujocoWrittenKind): string {
	return `mujoco:${kind}_mjcf`;
}

/**
 * Keeps attributes of MJCF that only MuJoCo simulates as they are written, on a row of the builder. The attribute is declared
 * when something needs it. Without anything to keep nothing happens.
 */
export function keepMujocoWritten(
	builder: ModelBuilder,
	kind: MujocoWrittenKind,
	row: number,
	values: ReadonlyMap<string, string>,
): void {
	if (values.size === 0) return;
	const frequency = FREQUENCIES[kind];
	const declaration: AttributeDeclaration = {
		name: `${kind}_mjcf`,
		namespace: 'mujoco',
		type: 'string',
		frequency,
		default: '',
	};
	builder.defineAttribute(declaration);
	const key = mujocoWrittenKey(kind);
	const known = (builder.attributeValues(key) as readonly string[])[row] ?? '';
	const text = writeText(new Map([...readMujocoWritten(known), ...values]));
	if (frequency === 'once') builder.setAttribute(key, text);
	else builder.setAttributeValue(key, row, text);
}

/** Attributes from their text, `name="value"` one after the other. */
export function readMujocoWritten(text: string | undefined): ReadonlyMap<string, string> {
	return new Map(Array.from((text ?? '').matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name!, value!]));
}

function writeText(values: ReadonlyMap<string, string>): string {
	return [...values].map(([name, value]) => `${name}="${value.replaceAll('"', "'")}"`).join(' ');
}
