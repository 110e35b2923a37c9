import { quote } from '@manyworlds/core';
import type { Prim } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import { withoutPayloads } from './payload-hiding.ts';
import { primsApplying } from './schema-index.ts';
import type { Statement } from './statement.ts';

/** REP 4.2.4, 4.3 and 5: sensors, canonical assets, tools. */
export const SECTION_4_2_4: readonly Statement[] = [
	{ id: 'R4.2.4.1', section: '4.2.4', level: 'must not', check: 'heuristic', visit: checkGroundTruth },
	{ id: 'R4.2.4.2', section: '4.2.4', level: 'must', check: 'static', visit: checkSensorPrims },
	{
		id: 'R4.2.4.3',
		section: '4.2.4',
		level: 'must',
		check: 'static',
		visit: checkSensorExtras,
	},
	{
		id: 'R4.2.4.4',
		section: '4.2.4',
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/rules/section-4.test.ts',
	},
	{ id: 'R4.3.1', section: '4.3', level: 'must', check: 'behaviour', heldBy: 'conformance/test/rep158.test.ts' },
	{
		id: 'R5.1',
		section: '5',
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/rules/rule-table.test.ts',
	},
	{
		id: 'R5.2',
		section: '5',
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/rules/rule-table.test.ts',
	},
];

/** What only a simulator can know. */
const GROUND_TRUTH = /(?:groundtruth|segmentation|boundingbox|semantic|instanceid|objectid|perfectpose|truepose)/;
/** Namespaces of OpenUSD and of ROS that a sensor prim may use. */
const NEUTRAL: ReadonlySet<string> = new Set([
	'xformOp',
	'ros',
	'physics',
	'ext_physics',
	'material',
	'primvars',
	'collection',
	'model',
	'ui',
	'userProperties',
	'sensor',
]);

/** A prim with a sensor schema, known to us or not. */
interface Sensor {
	readonly prim: Prim;
	readonly schema: string;
}

function sensorsOf(context: CheckContext): Sensor[] {
	return primsApplying(context, /^Sensor[A-Z]\w*API(?::|$)/);
}

function checkGroundTruth(context: CheckContext, report: Reporter): void {
	for (const { prim, schema } of sensorsOf(context)) {
		for (const name of prim.authoredPropertyNames()) {
			if (name.startsWith('ros:') || context.vendors.ofProperty(name) !== undefined) continue;
			if (!GROUND_TRUTH.test(name.replaceAll(/[_:]/g, '').toLowerCase())) continue;
			const message = `${quote(name)} of the sensor ${prim.path} (${schema}) is what only a simulator can know, expected an annotator schema for it`;
			report.add(context.at(prim.property(name) ?? prim), message);
		}
	}
}

function checkSensorPrims(context: CheckContext, report: Reporter): void {
	for (const { prim, schema } of sensorsOf(context)) {
		const place = context.atSchema(prim, schema);
		if (prim.typeName !== 'Xform' && prim.typeName !== 'Camera') {
			const what = prim.typeName === '' ? 'without a type' : `of type ${prim.typeName}`;
			report.add(place, `${schema} is on a prim ${what}, expected an Xform or Camera`);
			continue;
		}
		const unloaded = withoutPayloads(context, prim);
		if (unloaded?.isDefined === true && unloaded.authoredSchemas?.includes(schema) === true) continue;
		report.add(
			place,
			`${schema} of ${prim.path} is not there until a payload is loaded, expected it outside of payloads`,
		);
	}
}

function checkSensorExtras(context: CheckContext, report: Reporter): void {
	for (const { prim, schema } of sensorsOf(context)) {
		for (const name of prim.authoredPropertyNames()) {
			if (context.vendors.ofProperty(name) !== undefined || prim.definition.property(name) !== undefined) continue;
			const end = name.indexOf(':');
			if (end >= 0 && NEUTRAL.has(name.slice(0, end))) continue;
			const message = `${quote(name)} of the sensor ${prim.path} (${schema}) belongs to no schema, expected the prefix of its vendor`;
			report.add(context.at(prim.property(name) ?? prim), message);
		}
	}
}
