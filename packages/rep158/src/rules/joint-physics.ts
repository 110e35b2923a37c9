import { quote } from '@manyworlds/core';
import { mat4Determinant } from '@manyworlds/core/internal';
import { type Path, type Prim, T } from '@manyworlds/usd';
import { dataOf, isXformable } from '@manyworlds/usd/internal';
import { numberOf, readNumber, readText, readTuple } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';
import { applied, placeOfRemoval } from '../context/find-place.ts';
import { isTreeJoint, type JointEnd, type JointInfo } from '../context/joint-graph.ts';
import { shown } from '../context/shown.ts';
import { treeRank } from '../context/tree-rank.ts';
import type { Reporter } from '../reporter.ts';
import { axisAngle, frameAngle, type JointFrame, jointFrame } from './joint-frames.ts';

const ARTICULATION_ROOT = 'PhysicsArticulationRootAPI';

/** REP 1.3: a joint stands below its parent link, beside the child link. Loop joints and anchors have no such place (C17). */
export function checkJointPlacement(context: CheckContext, report: Reporter): void {
	for (const joint of context.graph.joints) {
		if (!isTreeJoint(joint)) continue;
		const { prim } = joint;
		const parent = joint.body0.body!;
		const child = joint.body1.body!;
		const isBelow = prim.path.parent === parent.path;
		// a module brings its link below a prim of its own
		if (isBelow && child.path.hasPrefix(parent.path)) continue;
		const message = isBelow
			? `the child link <${child.path}> is not below the parent link <${parent.path}>, as the joint is, expected both beside each other`
			: `the joint is below <${prim.path.parent}>, expected it below its parent link <${parent.path}>, beside its child link`;
		report.add(context.at(prim), message);
	}
}

/** REP 1.3: limits are authored, in order and finite; both infinite declare a revolute joint continuous (C9). */
export function checkJointLimits(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.joints) {
		if (prim.isA('PhysicsRevoluteJoint')) checkAxisLimits(context, report, prim, true);
		else if (prim.isA('PhysicsPrismaticJoint')) checkAxisLimits(context, report, prim, false);
		else checkFreeLimits(context, report, prim);
	}
}

function checkAxisLimits(context: CheckContext, report: Reporter, prim: Prim, isRevolute: boolean): void {
	const names = ['physics:lowerLimit', 'physics:upperLimit'];
	const missing = names.filter((name) => !prim.attribute(name).hasAuthoredValue);
	if (missing.length > 0) {
		const continuous = isRevolute ? ' (a continuous joint authors -inf and inf)' : '';
		const place = context.atRemoval(prim, missing, context.at(prim));
		report.add(place, `the joint authors no ${missing.join(' and no ')}, expected both limits${continuous}`);
		return;
	}
	const [lower, upper] = names.map((name) => readNumber(prim, name) ?? Number.NaN) as [number, number];
	const place = context.at(prim.attribute('physics:lowerLimit'));
	const unit = isRevolute ? 'degrees' : 'units of length';
	const range = `from ${shown(lower)} to ${shown(upper)} ${unit}`;
	if (Number.isNaN(lower) || Number.isNaN(upper)) {
		report.add(place, `the limits go ${range}, expected numbers`);
	} else if (lower > upper) {
		report.add(place, `the limits go ${range}, expected the lower one first`);
	} else if (lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY) {
		if (!isRevolute) report.add(place, `the limits go ${range}, expected a finite range for a prismatic joint`);
	} else if (!Number.isFinite(lower) || !Number.isFinite(upper)) {
		report.add(place, `the limits go ${range}: one side has no end, expected a finite range`, { severity: 'warning' });
	}
}

/** Joints with limits for each way of moving; a lower one above the upper one locks it. */
function checkFreeLimits(context: CheckContext, report: Reporter, prim: Prim): void {
	checkUnlimited(context, report, prim);
	for (const schema of prim.appliedSchemas) {
		const way = /^PhysicsLimitAPI:(.+)$/.exec(schema)?.[1];
		if (way === undefined) continue;
		const names = [`limit:${way}:physics:low`, `limit:${way}:physics:high`];
		const missing = names.filter((name) => !prim.attribute(name).hasAuthoredValue);
		// a distance may have one limit alone
		if (missing.length === 0 || (way === 'distance' && missing.length < 2)) continue;
		const message = `the limit of ${quote(way)} authors no ${missing.join(' and no ')}, expected both`;
		report.add(context.atRemoval(prim, missing, context.atSchema(prim, schema)), message);
	}
}

/** Whether a joint holds nothing: one for all ways of moving that limits none, a distance without ends. */
export function isUnlimited(prim: Prim): boolean {
	const { typeName, appliedSchemas } = prim;
	if (typeName === 'PhysicsJoint') return !appliedSchemas.some((schema) => schema.startsWith('PhysicsLimitAPI:'));
	if (typeName !== 'PhysicsDistanceJoint' || appliedSchemas.includes('PhysicsLimitAPI:distance')) return false;
	return DISTANCES.every((name) => !prim.attribute(name).hasAuthoredValue);
}

const DISTANCES = ['physics:minDistance', 'physics:maxDistance'] as const;

function checkUnlimited(context: CheckContext, report: Reporter, prim: Prim): void {
	if (!isUnlimited(prim)) return;
	if (prim.typeName === 'PhysicsJoint') {
		const message = 'the joint limits no way of moving, expected PhysicsLimitAPI for those that it holds';
		const removed = LIMIT_WAYS.map((way) => `PhysicsLimitAPI:${way}`);
		report.add(context.atRemoval(prim, removed, context.at(prim)), message);
	} else {
		const message = `the joint authors no ${DISTANCES.join(' and no ')}, expected one of them`;
		report.add(context.atRemoval(prim, DISTANCES, context.at(prim)), message);
	}
}

const LIMIT_WAYS = ['transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ', 'distance'] as const;

/** Articulation roots by the connected bodies that they are about. */
function rootsByComponent(context: CheckContext): Map<Path, Prim[]> {
	const found = new Map<Path, Prim[]>();
	const { graph } = context;
	const jointOf = new Map(graph.joints.map((joint) => [joint.prim.path, joint]));
	for (const root of context.lists.articulationRoots) {
		const components = new Set<Path>();
		const joint = jointOf.get(root.path);
		const body = joint === undefined ? context.bodyOf(root) : (joint.body1.body ?? joint.body0.body);
		if (body !== undefined) components.add(graph.componentOf(body));
		else {
			for (const prim of context.subtree(root)) {
				if (prim.hasSchema('PhysicsRigidBodyAPI')) components.add(graph.componentOf(prim));
			}
		}
		for (const component of components) {
			const roots = found.get(component);
			if (roots === undefined) found.set(component, [root]);
			else roots.push(root);
		}
	}
	return found;
}

/** REP 1.3: at most one articulation root in each connected tree. */
export function checkArticulationRoots(context: CheckContext, report: Reporter): void {
	for (const [first, ...others] of rootsByComponent(context).values()) {
		for (const root of others) {
			const message = `<${root.path}> is a further articulation root of the tree that <${first!.path}> is the root of, expected one`;
			report.add(context.atSchema(root, ARTICULATION_ROOT), message, {
				related: [{ place: context.atSchema(first!, ARTICULATION_ROOT), message: 'the first root of the tree' }],
			});
		}
	}
}

/** REP 1.3: a module with joints has an articulation root. */
export function checkMissingRoots(context: CheckContext, report: Reporter): void {
	const roots = rootsByComponent(context);
	const reported = new Set<Path>();
	for (const joint of context.graph.joints) {
		if (!isTreeJoint(joint)) continue;
		const component = context.graph.componentOf(joint.body0.body!);
		if (roots.has(component) || reported.has(component)) continue;
		reported.add(component);
		const body = context.stage.prim(component) ?? joint.body0.body!;
		const message = `the bodies that hang together with ${quote(body.name)} have no articulation root, expected ${ARTICULATION_ROOT} on one of them`;
		const removed = context.lists.bodies
			.filter((one) => context.graph.componentOf(one) === component)
			.flatMap((one) => placeOfRemoval(one, [ARTICULATION_ROOT], context.stage.sessionLayer) ?? []);
		report.add(removed[0] ?? context.atSchema(body, 'PhysicsRigidBodyAPI'), message);
	}
}

/** REP 1.3: nested roots are pruned by deleting them from the list, which leaves other schemas alone. */
export function checkPruning(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		const specs = prim.specs();
		if (specs.length < 2 || prim.hasSchema(ARTICULATION_ROOT)) continue;
		const ops = specs.map(({ layer, path }) => dataOf(layer.data.field(path, 'apiSchemas'), T.tokenListOp));
		const weaker = ops.findIndex((op) => op !== undefined && applied(op).includes(ARTICULATION_ROOT));
		if (weaker <= 0) continue;
		const resetting = ops.findIndex((op, i) => i < weaker && op?.isExplicit === true);
		const deleting = ops.findIndex((op, i) => i < weaker && op?.deletedItems.includes(ARTICULATION_ROOT) === true);
		if (resetting < 0 || (deleting >= 0 && deleting < resetting)) continue;
		const { layer, path, node } = specs[resetting]!;
		const message = `the articulation root is pruned by replacing all apiSchemas, expected delete apiSchemas = ["${ARTICULATION_ROOT}"]`;
		report.add({ layer, path, field: 'apiSchemas', shown: prim.path, node }, message);
	}
}

/** REP 1.3: no joint leads from a body to itself, and no second one connects the same two bodies. */
export function checkParallelJoints(context: CheckContext, report: Reporter): void {
	const pairs = new Map<string, JointInfo>();
	for (const joint of context.graph.joints) {
		const { prim, isEnabled, isExcluded } = joint;
		const [a, b] = [joint.body0.body, joint.body1.body];
		if (!isEnabled || isExcluded || a === undefined || b === undefined) continue;
		if (a.path === b.path) {
			report.add(context.at(prim), `the joint connects the body ${quote(a.name)} with itself, expected two bodies`);
			continue;
		}
		const key = pairKey(joint);
		const known = pairs.get(key);
		if (known === undefined) {
			pairs.set(key, joint);
			continue;
		}
		// the one that belongs less into a tree is the one too many
		const isKept = treeRank(joint.prim) < treeRank(known.prim);
		const [first, other] = isKept ? [joint, known] : [known, joint];
		pairs.set(key, first);
		const message = `the joint connects ${quote(a.name)} and ${quote(b.name)}, which ${quote(first.prim.name)} does already, expected one joint or physics:excludeFromArticulation = true`;
		report.add(context.at(other.prim), message, {
			related: [{ place: context.at(first.prim), message: 'the other joint' }],
		});
	}
}

function pairKey({ body0, body1 }: JointInfo): string {
	return [body0.body!.path.toString(), body1.body!.path.toString()].sort().join('\n');
}

/** REP 1.3: the joint that closes a loop is excluded from the articulation. */
export function checkLoops(context: CheckContext, report: Reporter): void {
	const closing = new Set(context.graph.loops);
	const ofTree = context.graph.joints.filter((joint) => isTreeJoint(joint) && !closing.has(joint));
	const pairs = new Set(ofTree.map(pairKey));
	for (const joint of closing) {
		// the other joint of a pair has a rule of its own
		if (pairs.has(pairKey(joint))) continue;
		const { prim, body0, body1 } = joint;
		const message = `the joint closes a loop between ${quote(body0.body!.name)} and ${quote(body1.body!.name)}, expected physics:excludeFromArticulation = true on one joint of it`;
		report.add(context.atRemoval(prim, ['physics:excludeFromArticulation'], context.at(prim)), message);
	}
}

/** REP 1.3: relationships of joints are usable, and both frames meet where the bodies are. */
export function checkJointRelationships(context: CheckContext, report: Reporter): void {
	for (const joint of context.graph.joints) {
		const isUsable = [0, 1].every((side) => checkEnd(context, report, joint, side as 0 | 1));
		if (!isUsable) continue;
		if (joint.body0.body === undefined && joint.body1.body === undefined) {
			const message = 'neither side of the joint belongs to a rigid body, expected one in physics:body1';
			report.add(context.at(joint.prim), message);
		} else checkFrames(context, report, joint);
	}
}

function checkEnd(context: CheckContext, report: Reporter, { prim, ...ends }: JointInfo, side: 0 | 1): boolean {
	const name = `physics:body${side}`;
	const { targets, target }: JointEnd = ends[`body${side}`];
	const [first, second] = targets;
	const relationship = prim.relationship(name);
	if (second !== undefined) {
		const message = `${name} has ${targets.length} targets, expected at most one`;
		report.add(context.atField(relationship, 'targetPaths', second.toString()), message);
		return false;
	}
	if (first !== undefined && target?.isDefined !== true) {
		const message = `${name} leads to <${first}>, and the stage has no such prim`;
		report.add(context.atField(relationship, 'targetPaths', first.toString()), message);
		return false;
	}
	if (target !== undefined && !isXformable(target)) {
		const what = target.typeName === '' ? 'a prim without a type' : `a ${target.typeName}`;
		const message = `${name} leads to <${first}>, ${what}, which has no place in the world, expected a rigid body`;
		report.add(context.atField(relationship, 'targetPaths', first!.toString()), message);
		return false;
	}
	return true;
}

function checkFrames(context: CheckContext, report: Reporter, joint: JointInfo): void {
	const { prim, body0, body1 } = joint;
	// anchors to the world have a rule of their own
	if (body0.targets.length === 0 || body1.targets.length === 0 || !joint.isEnabled) return;
	// a body that mirrors has no frame to speak of, which is told there
	if ([body0, body1].some(({ target }) => mat4Determinant(context.transforms.worldTransform(target!)) <= 0)) return;
	const a = jointFrame(context, prim, body0.target, 0);
	const b = jointFrame(context, prim, body1.target, 1);
	if (a === undefined || b === undefined) {
		report.add(context.at(prim), 'the frames of the joint are not finite, expected numbers');
		return;
	}
	const faults = frameFaults(context, prim, a, b);
	if (faults.length === 0) return;
	const place = context.at(prim.attribute(strayFrame(prim, faults)));
	const message = `the frames of the joint do not meet: they are ${faults.join(' and ')} apart, expected none`;
	// a loop may be closed by the solver only
	report.add(place, message, { key: 'frames', ...(joint.isExcluded && { severity: 'warning' as const }) });
}

/** The attribute that is most likely wrong: a position, or when only the angle is, the rotation that turns. */
function strayFrame(prim: Prim, faults: readonly string[]): string {
	if (faults.some((fault) => fault.endsWith(' m'))) return 'physics:localPos0';
	const names = ['physics:localRot0', 'physics:localRot1'].filter((name) => prim.attribute(name).hasAuthoredValue);
	const turns = (name: string): boolean => Math.abs(readTuple(prim, name, 4)?.[3] ?? 1) < 1 - 1e-9;
	return names.find(turns) ?? names[0] ?? 'physics:localPos0';
}

/** By how much two frames of a joint differ in what the joint does not let move. */
export function frameFaults(context: CheckContext, prim: Prim, a: JointFrame, b: JointFrame): string[] {
	const kind = JOINT_KINDS.find((name) => prim.isA(name));
	const axis = 'XYZ'.indexOf(readText(prim, 'physics:axis') ?? 'X');
	if (kind === undefined || axis < 0) return [];
	const metres = numberOf(context.stage.metadata('metersPerUnit')) ?? 0.01;
	const offset = a.position.map((value, i) => (b.position[i]! - value) * metres);
	let distance = Math.hypot(...offset);
	if (kind === 'PhysicsPrismaticJoint') {
		const along = offset.reduce((sum, value, i) => sum + value * a.matrix[axis * 4 + i]!, 0);
		distance = Math.sqrt(Math.max(distance * distance - along * along, 0));
	}
	const angle =
		kind === 'PhysicsRevoluteJoint' ? axisAngle(a, b, axis) : kind === 'PhysicsSphericalJoint' ? 0 : frameAngle(a, b);
	const { jointPosition, jointAngle } = context.thresholds;
	const faults: string[] = [];
	if (distance > jointPosition) faults.push(`${shown(distance)} m`);
	if (angle > jointAngle) faults.push(`${shown((angle * 180) / Math.PI)} degrees`);
	return faults;
}

const JOINT_KINDS = [
	'PhysicsFixedJoint',
	'PhysicsRevoluteJoint',
	'PhysicsPrismaticJoint',
	'PhysicsSphericalJoint',
] as const;
