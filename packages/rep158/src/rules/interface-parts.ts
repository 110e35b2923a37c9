import { quote } from '@manyworlds/core';
import type { RosInterface } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Place } from '../context/place.ts';
import type { Reporter } from '../reporter.ts';

/** Reports a role that is missing or unknown. */
export function checkRole(context: CheckContext, report: Reporter, found: RosInterface): void {
	const { schema, role } = found;
	const name = `${schema.prefix}:role`;
	if (role !== undefined && schema.roles.includes(role)) return;
	const expected = schema.roles.join(' or ');
	const what = role === undefined ? 'is not authored' : `is ${quote(role)}`;
	report.add(partPlace(context, found, name), `${name} ${what}, expected ${expected}`, { key: name });
}

/** Reports a name that is missing or empty. */
export function checkName(context: CheckContext, report: Reporter, found: RosInterface): void {
	checkText(context, report, found, `${found.schema.prefix}:name`, found.name, `the name of the ${found.schema.noun}`);
}

/** Reports a type that is missing or empty. */
export function checkTypePresence(context: CheckContext, report: Reporter, found: RosInterface): void {
	const { schema } = found;
	checkText(context, report, found, `${schema.prefix}:type`, found.type, `a type such as package/${schema.kind}/Name`);
}

function checkText(
	context: CheckContext,
	report: Reporter,
	found: RosInterface,
	name: string,
	value: string | undefined,
	expected: string,
): void {
	if (value !== undefined && value !== '') return;
	const what = value === undefined ? 'is not authored' : 'is empty';
	report.add(partPlace(context, found, name), `${name} ${what}, expected ${expected}`, { key: name });
}

/** Where an attribute of an interface is, or where its schema is applied when nobody wrote the attribute. */
function partPlace(context: CheckContext, { prim, schema }: RosInterface, name: string): Place {
	const attribute = prim.attribute(name);
	return attribute.isAuthored ? context.at(attribute) : context.atSchema(prim, schema.api);
}
