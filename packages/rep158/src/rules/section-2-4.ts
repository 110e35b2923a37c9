import { quote } from '@manyworlds/core';
import { T } from '@manyworlds/usd';
import type { RosInterface } from '@manyworlds/usd/internal';
import {
	authoredBool,
	authoredNumber,
	authoredText,
	authoredValue,
	dataOf,
	declaredAttribute,
} from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { isMapOutput, isSensorOutput } from '../ros/interface-uses.ts';
import { checkName, checkRole, checkTypePresence } from './interface-parts.ts';
import { boolFault } from './section-2-3.ts';
import type { Statement } from './statement.ts';

/** REP 2.4: topics. */
export const SECTION_2_4: readonly Statement[] = [
	{
		id: 'R2.4.1',
		section: '2.4',
		level: 'must',
		check: 'static',
		visit: (context, report) => eachTopic(context, (topic) => checkRole(context, report, topic)),
	},
	{
		id: 'R2.4.2',
		section: '2.4',
		level: 'must',
		check: 'static',
		visit: (context, report) => eachTopic(context, (topic) => checkName(context, report, topic)),
	},
	{
		id: 'R2.4.3',
		section: '2.4',
		level: 'must',
		check: 'static',
		visit: (context, report) => eachTopic(context, (topic) => checkTypePresence(context, report, topic)),
	},
	{ id: 'R2.4.4', section: '2.4', level: 'must', check: 'static', visit: checkRate },
	{
		id: 'R2.4.5',
		section: '2.4',
		level: 'must not',
		check: 'static',
		visit: checkOverride,
	},
	{
		id: 'R2.4.6',
		section: '2.4',
		level: 'should',
		check: 'static',
		visit: checkOverrideHeader,
	},
	{ id: 'R2.4.7', section: '2.4', level: 'must', check: 'static', visit: checkTokens },
	{
		id: 'R2.4.8',
		section: '2.4',
		level: 'must',
		check: 'static',
		visit: checkMatchPublisher,
	},
	{ id: 'R2.4.9', section: '2.4', level: 'must', check: 'static', visit: checkDepth },
	{ id: 'R2.4.10', section: '2.4', level: 'should', check: 'static', visit: checkProfiles },
	{
		id: 'R2.4.11',
		section: '2.4',
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/ros/ros-interfaces.test.ts',
	},
];

/** Values of the quality of service policies. */
const POLICIES: Readonly<Record<string, readonly string[]>> = {
	reliability: ['system_default', 'reliable', 'best_effort'],
	durability: ['system_default', 'transient_local', 'volatile'],
	history: ['system_default', 'keep_last', 'keep_all'],
};

function eachTopic(context: CheckContext, visit: (topic: RosInterface) => void): void {
	for (const found of RosView.of(context).interfaces) if (found.schema.noun === 'topic') visit(found);
}

function checkRate(context: CheckContext, report: Reporter): void {
	const name = 'ros:topic:publish_rate';
	eachTopic(context, ({ prim, role }) => {
		const value = authoredValue(prim, name);
		const rate = authoredNumber(prim, name);
		if (role === 'subscription') {
			if (value === undefined) return;
			report.add(context.at(prim.attribute(name)), `${name} is authored on a subscription, where it is ignored`, {
				severity: 'info',
			});
		} else if (role === 'publisher') {
			if (value === undefined) {
				report.add(context.atSchema(prim, 'RosTopicAPI'), `the publisher has no ${name}, expected a rate in Hz`);
			} else if (rate === undefined || !(rate > 0) || !Number.isFinite(rate)) {
				report.add(
					context.at(prim.attribute(name)),
					`${name} is ${rate ?? 'no number'}, expected a finite rate above 0 Hz`,
				);
			}
		}
	});
}

function checkOverride(context: CheckContext, report: Reporter): void {
	const name = 'ros:topic:override_frame_id';
	const view = RosView.of(context);
	eachTopic(context, ({ prim }) => {
		const id = authoredText(prim, name);
		if (id === undefined || id === '') return;
		const frame = view.frames.all.find((candidate) => candidate.id === id);
		if (frame === undefined) return;
		const message = `${name} is ${quote(id)}, which is the frame of ${frame.prim.path}: expected a frame that is not on the stage, such as "map"`;
		report.add(context.at(prim.attribute(name)), message);
	});
}

function checkOverrideHeader(context: CheckContext, report: Reporter): void {
	const name = 'ros:topic:override_frame_id';
	const { types } = RosView.of(context);
	eachTopic(context, ({ prim, type }) => {
		const id = authoredText(prim, name);
		const known = type === undefined ? undefined : types.find(type);
		if (id === undefined || id === '' || known === undefined || known.hasHeader) return;
		report.add(
			context.at(prim.attribute(name)),
			`${name} is ${quote(id)}, but ${type} has no std_msgs/Header to put it in`,
		);
	});
}

function checkTokens(context: CheckContext, report: Reporter): void {
	eachTopic(context, ({ prim }) => {
		for (const [policy, values] of Object.entries(POLICIES)) {
			const name = `ros:topic:qos:${policy}`;
			const value = authoredText(prim, name);
			if (value === undefined || values.includes(value)) continue;
			report.add(context.at(prim.attribute(name)), `${name} is ${quote(value)}, expected ${values.join(', ')}`);
		}
	});
}

function checkMatchPublisher(context: CheckContext, report: Reporter): void {
	const name = 'ros:topic:qos:match_publisher';
	eachTopic(context, ({ prim, role }) => {
		const fault = boolFault(prim, name);
		if (fault !== undefined) {
			report.add(context.at(prim.attribute(name)), `${name} ${fault}`);
			return;
		}
		const value = authoredBool(prim, name);
		if (value === undefined || role !== 'publisher') return;
		report.add(
			context.at(prim.attribute(name)),
			`${name} is authored on a publisher, expected it on subscriptions only`,
			{
				severity: value ? 'error' : 'info',
			},
		);
	});
}

function checkDepth(context: CheckContext, report: Reporter): void {
	const name = 'ros:topic:qos:depth';
	eachTopic(context, ({ prim }) => {
		const declared = declaredAttribute(prim, name);
		if (declared === undefined) return;
		const place = context.at(prim.attribute(name));
		const depth = dataOf(declared.value, T.int);
		const history = authoredText(prim, 'ros:topic:qos:history') ?? 'system_default';
		if (depth === undefined) {
			if (declared.value === undefined && declared.typeName === 'int') return;
			report.add(place, `${name} is a ${declared.typeName}, expected an int`);
		} else if (depth < 0 || (depth === 0 && history === 'keep_last')) {
			report.add(place, `${name} is ${depth}, expected more than 0`);
		} else if (history !== 'keep_last') {
			const message = `${name} is ${depth}, which counts only with the history keep_last; the history is ${history}`;
			report.add(place, message, { severity: 'info' });
		}
	});
}

function checkProfiles(context: CheckContext, report: Reporter): void {
	eachTopic(context, (topic) => {
		const { prim, type } = topic;
		const name = 'ros:topic:qos:durability';
		if (isMapOutput(topic)) {
			const durability = authoredText(prim, name) ?? 'system_default';
			if (durability === 'transient_local') return;
			const place = prim.attribute(name).isAuthored
				? context.at(prim.attribute(name))
				: context.atSchema(prim, 'RosTopicAPI');
			report.add(place, `${type} is a map with the durability ${durability}, expected transient_local`);
		} else if (isSensorOutput(topic)) {
			for (const policy of ['reliability', 'durability']) {
				const attribute = `ros:topic:qos:${policy}`;
				const value = authoredText(prim, attribute);
				if (value === undefined || value === 'system_default' || value === 'best_effort' || value === 'volatile')
					continue;
				const message = `${type} of a sensor has the ${policy} ${value}, system_default is usual for sensors`;
				report.add(context.at(prim.attribute(attribute)), message, { severity: 'info' });
			}
		}
	});
}
