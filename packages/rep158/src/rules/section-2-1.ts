import { quote } from '@manyworlds/core';
import { T } from '@manyworlds/usd';
import { authoredText, dataOf, declaredAttribute } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

/** REP 2.1: the ROS context. */
export const SECTION_2_1: readonly Statement[] = [
	{ id: 'R2.1.1', section: '2.1', level: 'may', check: 'static', visit: checkPresence },
	{ id: 'R2.1.2', section: '2.1', level: 'must', check: 'static', visit: checkDomain },
	{
		id: 'R2.1.3',
		section: '2.1',
		level: 'must',
		check: 'static',
		visit: checkParentFrame,
	},
];

/** Largest domain that DDS ports allow, and the largest that works on every platform. */
const MAX_DOMAIN = 232;
const MAX_PORTABLE_DOMAIN = 101;

function checkPresence(context: CheckContext, report: Reporter): void {
	const view = RosView.of(context);
	const without = view.interfaces.filter(({ prim }) => view.resolver.outermost(prim) === undefined);
	const [first] = without;
	if (first === undefined) return;
	const root = context.stage.defaultPrim ?? first.prim;
	const others = without.length === 1 ? '' : ` and ${without.length - 1} more`;
	const message = `no context is above ${first.prim.path}${others}, so they have no namespace; the root prim may carry RosContextAPI`;
	report.add(context.at(root), message);
}

function checkDomain(context: CheckContext, report: Reporter): void {
	const name = 'ros:context:domain_id';
	for (const prim of RosView.of(context).contexts) {
		const declared = declaredAttribute(prim, name);
		if (declared === undefined) continue;
		const place = context.at(prim.attribute(name));
		const value = dataOf(declared.value, T.int);
		if (value === undefined) {
			if (declared.value === undefined && declared.typeName === 'int') continue;
			report.add(place, `${name} is a ${declared.typeName}, expected an int from 0 to ${MAX_DOMAIN}`);
		} else if (value < 0 || value > MAX_DOMAIN) {
			report.add(place, `${name} is ${value}, expected 0 to ${MAX_DOMAIN}`);
		} else if (value > MAX_PORTABLE_DOMAIN) {
			const message = `${name} is ${value}; domains above ${MAX_PORTABLE_DOMAIN} do not work on every platform`;
			report.add(place, message, { severity: 'info' });
		}
	}
}

function checkParentFrame(context: CheckContext, report: Reporter): void {
	const { contexts, resolver } = RosView.of(context);
	const name = 'ros:context:parent_frame';
	for (const prim of contexts) {
		const value = authoredText(prim, name);
		const outermost = resolver.outermost(prim);
		if (value === undefined || outermost === undefined || outermost.path === prim.path) continue;
		const message = `${name} is ${quote(value)} on a nested context, where it is ignored: expected it on ${outermost.path} only`;
		report.add(context.at(prim.attribute(name)), message);
	}
}
