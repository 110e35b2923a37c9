import type { Prim } from '@manyworlds/usd';
import { interfaceSchemas } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { isRobotWide, isSensorOutput } from '../ros/interface-uses.ts';
import { isHiddenByPayload } from './payload-hiding.ts';
import type { Statement } from './statement.ts';

/** REP 2.2: where interfaces are placed. */
export const SECTION_2_2: readonly Statement[] = [
	{
		id: 'R2.2.1',
		section: '2.2',
		level: 'should',
		check: 'static',
		visit: checkRobotWide,
	},
	{
		id: 'R2.2.2',
		section: '2.2',
		level: 'must',
		check: 'static',
		visit: checkSensors,
	},
	{
		id: 'R2.2.3',
		section: '2.2',
		level: 'must',
		check: 'static',
		visit: checkOneEach,
	},
	{
		id: 'R2.2.4',
		section: '2.2',
		level: 'must',
		check: 'static',
		visit: checkPayloads,
	},
];

function checkRobotWide(context: CheckContext, report: Reporter): void {
	const { interfaces, resolver, contexts } = RosView.of(context);
	for (const found of interfaces) {
		if (!isRobotWide(found)) continue;
		const { prim, schema, type } = found;
		const place = context.atSchema(prim, schema.api);
		const robot = resolver.outermost(prim);
		const body = context.bodyOf(prim);
		if (prim.isA('PhysicsJoint')) {
			report.add(
				place,
				`${type} concerns the whole robot and is on the joint ${prim.path}, expected it on a logical prim`,
			);
		} else if (body !== undefined && !isRobotRoot(body, robot, prim)) {
			const where = body.path === prim.path ? 'on' : 'below';
			const message = `${type} concerns the whole robot and is ${where} the link ${body.path}, expected it on a logical prim below the context`;
			report.add(place, message);
		} else if (robot === undefined && contexts.length > 0) {
			report.add(
				place,
				`${type} concerns the whole robot and is below no context, expected it below ${contexts[0]!.path}`,
			);
		}
	}
}

/** Whether a body is where the robot starts, so that everything of the robot lies below it. */
function isRobotRoot(body: Prim, robot: Prim | undefined, prim: Prim): boolean {
	return robot !== undefined && body.path !== prim.path && robot.path.hasPrefix(body.path);
}

function checkSensors(context: CheckContext, report: Reporter): void {
	const { interfaces, resolver } = RosView.of(context);
	for (const found of interfaces) {
		if (!isSensorOutput(found)) continue;
		const { prim, schema, type } = found;
		// cameras have rules of their own (R2.8.2)
		if (prim.typeName === 'Camera') continue;
		const place = context.atSchema(prim, schema.api);
		const body = context.bodyOf(prim);
		if (body?.path === prim.path) {
			report.add(place, `${type} is on the link ${prim.path} itself, expected it on an Xform below the link`);
		} else if (prim.typeName !== 'Xform') {
			const kind = prim.typeName === '' ? 'without a type' : `of type ${prim.typeName}`;
			report.add(place, `${type} is on a prim ${kind}, expected it on an Xform below the link`);
		} else if (body === undefined && hasBodies(context, resolver.outermost(prim))) {
			report.add(
				place,
				`${type} of ${prim.path} is below no link, expected it on an Xform below the link of its sensor`,
			);
		}
	}
}

/** Whether a robot, or the asset where there is none, has rigid bodies that a sensor could be on. */
function hasBodies(context: CheckContext, robot: Prim | undefined): boolean {
	return context.lists.bodies.some(({ path }) => robot === undefined || path.hasPrefix(robot.path));
}

function checkOneEach(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.ros) {
		const schemas = interfaceSchemas(prim);
		if (schemas.length < 2) continue;
		const names = schemas.map(({ api }) => api).join(' and ');
		report.add(
			context.atSchema(prim, schemas[1]!.api),
			`${prim.path} has ${names}, expected one interface on each prim`,
		);
	}
}

function checkPayloads(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.ros) {
		const frame = prim.hasSchema('RosFrameAPI') ? ['RosFrameAPI'] : [];
		for (const api of [...interfaceSchemas(prim).map((schema) => schema.api), ...frame]) {
			if (!isHiddenByPayload(context, prim, api)) continue;
			const message = `${api} of ${prim.path} is not there until a payload is loaded, expected it outside of payloads`;
			report.add(context.atSchema(prim, api), message);
		}
	}
}
