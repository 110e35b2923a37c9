import { quote } from '@manyworlds/core';
import type { Prim } from '@manyworlds/usd';
import { authoredBool, authoredText, isTransformAnimated } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import type { RosFrame } from '../ros/ros-frames.ts';
import { frameIdFault } from '../ros/ros-names.ts';
import { boolFault } from './section-2-3.ts';
import type { Statement } from './statement.ts';

const GRAPH_TEST = 'packages/rep158/test/ros/ros-graph.test.ts';
const FRAME = 'RosFrameAPI';

/** REP 2.7: frames. */
export const SECTION_2_7: readonly Statement[] = [
	{ id: 'R2.7.1', section: '2.7', level: 'tool', check: 'behaviour', heldBy: GRAPH_TEST },
	{ id: 'R2.7.2', section: '2.7', level: 'tool', check: 'behaviour', heldBy: GRAPH_TEST },
	{ id: 'R2.7.3', section: '2.7', level: 'tool', check: 'behaviour', heldBy: GRAPH_TEST },
	{ id: 'R2.7.4', section: '2.7', level: 'tool', check: 'static', visit: checkStamps },
	{
		id: 'R2.7.5',
		section: '2.7',
		level: 'must',
		check: 'static',
		visit: checkFramePrims,
	},
	{
		id: 'R2.7.6',
		section: '2.7',
		level: 'must',
		check: 'static',
		visit: checkIds,
	},
	{
		id: 'R2.7.7',
		section: '2.7',
		level: 'must',
		check: 'static',
		visit: checkStatic,
	},
	{ id: 'R2.7.8', section: '2.7', level: 'tool', check: 'behaviour', heldBy: GRAPH_TEST },
	{
		id: 'R2.7.9',
		section: '2.7',
		level: 'must',
		check: 'static',
		visit: checkTree,
	},
];

function checkStamps(context: CheckContext, report: Reporter): void {
	const view = RosView.of(context);
	const { interfaces, types } = view;
	for (const { prim, type, role, schema } of interfaces) {
		if (role !== 'publisher' || type === undefined || types.find(type)?.hasHeader !== true) continue;
		if ((authoredText(prim, 'ros:topic:override_frame_id') ?? '') !== '') continue;
		if (view.frames.nearest(prim) !== undefined) continue;
		const message = `${type} has a header, but no prim at or above ${prim.path} is a frame: expected a context, a link of a robot or RosFrameAPI above it`;
		report.add(context.atSchema(prim, schema.api), message);
	}
}

function checkFramePrims(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.ros) {
		if (!prim.hasSchema(FRAME)) continue;
		const place = context.atSchema(prim, FRAME);
		if (prim.hasSchema('PhysicsRigidBodyAPI')) {
			const message = `${prim.path} is a rigid body with RosFrameAPI, which is for frames without physics: links are frames by their joints`;
			report.add(place, message, { severity: 'warning' });
		} else if (prim.typeName !== 'Xform') {
			// a frame on a camera is found by R2.8.2
			if (prim.typeName === 'Camera') continue;
			const kind = prim.typeName === '' ? 'without a type' : `of type ${prim.typeName}`;
			report.add(place, `RosFrameAPI is on a prim ${kind}, expected an Xform`);
		}
	}
}

function checkIds(context: CheckContext, report: Reporter): void {
	const name = 'ros:frame:id';
	for (const prim of context.lists.ros) {
		if (!prim.hasSchema(FRAME)) continue;
		const id = authoredText(prim, name);
		const fault = id === undefined || id === '' ? undefined : frameIdFault(id);
		if (fault === undefined) continue;
		const expected = 'letters, digits, underscores, slashes, dots and dashes, no slash in front';
		report.add(context.at(prim.attribute(name)), `${name} ${quote(id!)} ${fault}, expected ${expected}`);
	}
}

function checkStatic(context: CheckContext, report: Reporter): void {
	const name = 'ros:frame:static';
	const view = RosView.of(context);
	for (const prim of context.lists.ros) {
		if (!prim.hasSchema(FRAME)) continue;
		const fault = boolFault(prim, name);
		if (fault !== undefined) {
			report.add(context.at(prim.attribute(name)), `${name} ${fault}`);
			continue;
		}
		const frame = view.frames.of(prim);
		// joints decide about links
		if (frame === undefined || frame.kind !== 'explicit') continue;
		const isStatic = authoredBool(prim, name) ?? true;
		const mover = findMover(frame);
		const place = prim.attribute(name).isAuthored ? context.at(prim.attribute(name)) : context.atSchema(prim, FRAME);
		if (isStatic && mover !== undefined) {
			const parent = frame.parentId === undefined ? 'its parent' : frame.parentId;
			const message = `the frame ${quote(frame.id)} is static, but ${mover.path} moves it relative to ${parent}: expected ${name} = false`;
			report.add(place, message);
		} else if (!isStatic && mover === undefined) {
			report.add(place, `the frame ${quote(frame.id)} is not static, but nothing moves it: expected ${name} = true`, {
				severity: 'warning',
			});
		}
	}
}

/** The prim between a frame and its parent frame that moves by time samples or by physics. */
function findMover({ prim, parent }: RosFrame): Prim | undefined {
	for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		if (at.path === parent?.prim.path) return undefined;
		if (isTransformAnimated(at)) return at;
		if (!at.hasSchema('PhysicsRigidBodyAPI')) continue;
		// without a context the link that carries the frame will be its parent
		return parent === undefined ? undefined : at;
	}
	return undefined;
}

function checkTree(context: CheckContext, report: Reporter): void {
	if (context.lists.ros.length === 0) return;
	const { frames, contexts } = RosView.of(context);
	const first = new Map<string, RosFrame>();
	// an explicit frame can be renamed, a link is what it is
	const ordered = [...frames.all].sort((a, b) => Number(a.kind === 'explicit') - Number(b.kind === 'explicit'));
	for (const frame of ordered) {
		const scope = frame.robot?.path.toString() ?? '';
		const key = `${scope}\n${frame.id}`;
		const other = first.get(key);
		const place = framePlace(context, frame);
		if (other === undefined) first.set(key, frame);
		else {
			const message = `${frame.prim.path} and ${other.prim.path} are both the frame ${quote(frame.id)}, expected a name of its own for each frame of a robot`;
			report.add(place, message, {
				key: frame.prim.path.toString(),
				related: [{ place: framePlace(context, other), message: 'the other frame' }],
			});
		}
		// an asset without any context gets one from the asset that uses it
		if (frame.parentId === undefined && contexts.length > 0) {
			const message = `the frame ${quote(frame.id)} hangs on no other frame, expected it below a context`;
			report.add(place, message, { key: `root ${frame.prim.path}` });
		}
	}
}

function framePlace(context: CheckContext, { prim }: RosFrame): ReturnType<CheckContext['at']> {
	const id = prim.attribute('ros:frame:id');
	if (prim.hasSchema(FRAME)) return id.isAuthored ? context.at(id) : context.atSchema(prim, FRAME);
	return context.at(prim);
}
