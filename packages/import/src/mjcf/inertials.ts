import { quote } from '@manyworlds/core';
import { mat3FromQuat, mat3RotateTensor } from '@manyworlds/core/internal';
import type { MjcfElement } from '@manyworlds/formats';
import { combineMasses, type MassProperties } from '@manyworlds/mesh';
import type { Attributes } from './attributes.ts';
import type { MjcfContext } from './context.ts';

/** Mass, centre and inertia that an `inertial` element gives; undefined, with a diagnostic, when it gives none. */
export function readInertial(
	context: MjcfContext,
	element: MjcfElement,
	ambient: string,
	bodyName: string,
): MassProperties | undefined {
	const attributes = context.attributes(element, ambient);
	const tensor = tensorOf(attributes, bodyName, context);
	if (tensor === undefined) return undefined;
	const pose = attributes.pose();
	const mass = attributes.number('mass', 0);
	if (!attributes.has('mass') || mass < 0) {
		context.fault(
			'MJCF012',
			`inertial of body ${quote(bodyName)} has the mass ${mass} kg, expected a positive one`,
			element,
		);
		if (mass < 0) return undefined;
	}
	const { scale } = context.options;
	if (scale !== 1) for (let i = 0; i < 9; i++) tensor[i] = tensor[i]! * scale * scale;
	const rotation = mat3FromQuat(new Float64Array(9), pose, 0, 3);
	return { mass, com: pose.slice(0, 3), inertia: mat3RotateTensor(new Float64Array(9), tensor, rotation) };
}

function tensorOf(attributes: Attributes, bodyName: string, context: MjcfContext): Float64Array | undefined {
	const fail = (message: string): undefined => {
		context.fault('MJCF012', `inertial of body ${quote(bodyName)} ${message}`, attributes.element);
		return undefined;
	};
	if (attributes.has('diaginertia')) {
		attributes.ignore('fullinertia', 'diaginertia is given');
		const numbers = attributes.numbers('diaginertia');
		if (numbers === undefined) return undefined;
		// one number stands for three with Newton
		const isSingle = context.options.newtonCompat && numbers.length === 1;
		if (numbers.length !== 3 && !isSingle) return fail(`has ${numbers.length} numbers in diaginertia, expected 3`);
		const [x, y, z] = isSingle ? [numbers[0]!, numbers[0]!, numbers[0]!] : [numbers[0]!, numbers[1]!, numbers[2]!];
		return Float64Array.of(x, 0, 0, 0, y, 0, 0, 0, z);
	}
	if (!attributes.has('fullinertia')) return fail('has neither diaginertia nor fullinertia, expected one of them');
	const n = attributes.numbers('fullinertia');
	if (n === undefined) return undefined;
	if (n.length !== 6) return fail(`has ${n.length} numbers in fullinertia, expected 6`);
	return Float64Array.of(n[0]!, n[3]!, n[4]!, n[3]!, n[1]!, n[5]!, n[4]!, n[5]!, n[2]!);
}

/** Writes mass, centre and inertia of a body; a locked one does not change when shapes are added. */
export function setBodyMass(context: MjcfContext, body: number, properties: MassProperties, isLocked: boolean): void {
	const { builder } = context;
	builder.column('bodyMass')[body] = properties.mass;
	builder.column('bodyCom').set(properties.com, 3 * body);
	builder.column('bodyInertia').set(properties.inertia, 9 * body);
	builder.column('bodyLockInertia')[body] = isLocked ? 1 : 0;
	const why = isLocked ? 'its inertial element gives it' : 'its geoms add up to it';
	for (const array of ['body_mass', 'body_com', 'body_inertia']) {
		context.ledger.give(array, body, { source: isLocked ? 'authored' : 'computed', why });
	}
}

/** The mass of a body from its geoms. */
export function sumMasses(masses: readonly MassProperties[]): MassProperties | undefined {
	return masses.length === 0 ? undefined : combineMasses(masses);
}
