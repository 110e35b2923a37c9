import { quote } from '@manyworlds/core';
import type { Node, Path, Prim } from '@manyworlds/usd';
import { ArcType, authoredText, isContext, type SpecSite } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { transformTopics } from '../ros/ros-frames.ts';
import { namespaceFault, rosNameOf } from '../ros/ros-names.ts';
import { isHiddenByPayload } from './payload-hiding.ts';
import type { Statement } from './statement.ts';

const GRAPH_TEST = 'packages/rep158/test/ros/ros-graph.test.ts';
const NAMESPACE = 'ros:context:namespace';
const SECTION = '2.1.1';

/** REP 2.1.1: how namespaces are joined. */
export const SECTION_2_1_1: readonly Statement[] = [
	{
		id: 'R2.1.1.1',
		section: SECTION,
		level: 'must',
		check: 'static',
		visit: checkSegments,
	},
	{ id: 'R2.1.1.2', section: SECTION, level: 'may', check: 'static', visit: checkResets },
	{ id: 'R2.1.1.3', section: SECTION, level: 'tool', check: 'behaviour', heldBy: GRAPH_TEST },
	{ id: 'R2.1.1.4', section: SECTION, level: 'tool', check: 'behaviour', heldBy: GRAPH_TEST },
	{ id: 'R2.1.1.5', section: SECTION, level: 'must', check: 'behaviour', heldBy: GRAPH_TEST },
	{ id: 'R2.1.1.6', section: SECTION, level: 'must not', check: 'static', visit: checkTransformTopics },
	{
		id: 'R2.1.1.7',
		section: SECTION,
		level: 'must',
		check: 'static',
		visit: checkRobotNamespaces,
	},
	{
		id: 'R2.1.1.8',
		section: SECTION,
		level: 'should',
		check: 'static',
		visit: checkNamespaceNames,
	},
	{
		id: 'R2.1.1.9',
		section: SECTION,
		level: 'must',
		check: 'static',
		visit: checkRootNamespace,
	},
	{
		id: 'R2.1.1.10',
		section: SECTION,
		level: 'must',
		check: 'static',
		visit: checkOverrides,
	},
	{
		id: 'R2.1.1.11',
		section: SECTION,
		level: 'must',
		check: 'static',
		visit: checkCopies,
	},
	{
		id: 'R2.1.1.12',
		section: SECTION,
		level: 'must',
		check: 'static',
		visit: checkPayloads,
	},
	{
		id: 'R2.1.1.13',
		section: SECTION,
		level: 'should not',
		check: 'static',
		visit: checkInstances,
	},
];

function checkSegments(context: CheckContext, report: Reporter): void {
	for (const prim of RosView.of(context).contexts) {
		const namespace = authoredText(prim, NAMESPACE);
		if (namespace === undefined || namespace === '') continue;
		const fault = namespaceFault(namespace);
		if (fault === undefined) continue;
		const expected = namespace.startsWith('/') ? 'an absolute ROS name' : 'one bare name such as "robot_1"';
		report.add(
			context.at(prim.attribute(NAMESPACE)),
			`${NAMESPACE} ${quote(namespace)} ${fault}, expected ${expected}`,
		);
	}
}

function checkResets(context: CheckContext, report: Reporter): void {
	const { contexts, resolver } = RosView.of(context);
	for (const prim of contexts) {
		const namespace = authoredText(prim, NAMESPACE);
		if (namespace?.startsWith('/') !== true || resolver.outermost(prim)?.path === prim.path) continue;
		const above = prim.parent === undefined ? '/' : resolver.namespace(prim.parent);
		if (above === '/') continue;
		const message = `${NAMESPACE} ${quote(namespace)} is absolute: the namespace ${above} of the contexts above it does not count`;
		report.add(context.at(prim.attribute(NAMESPACE)), message);
	}
}

/** A tf topic that is authored is the one of the robot, not one of a part of it. */
function checkTransformTopics(context: CheckContext, report: Reporter): void {
	const { interfaces, resolver } = RosView.of(context);
	for (const { prim, type, resolvedName } of interfaces) {
		if (type !== 'tf2_msgs/msg/TFMessage' || resolvedName === undefined) continue;
		const base = resolvedName.slice(resolvedName.lastIndexOf('/') + 1);
		if (base !== 'tf' && base !== 'tf_static') continue;
		const robot = resolver.outermost(prim);
		const topics = robot === undefined ? { moving: '/tf', fixed: '/tf_static' } : transformTopics(robot, resolver);
		const expected = base === 'tf' ? topics.moving : topics.fixed;
		if (resolvedName === expected || resolvedName === `/${base}`) continue;
		report.add(context.at(prim.attribute('ros:topic:name')), `the topic is ${resolvedName}, expected ${expected}`);
	}
}

function checkRobotNamespaces(context: CheckContext, report: Reporter): void {
	const { robots, resolver } = RosView.of(context);
	const first = new Map<string, Prim>();
	for (const prim of robots) {
		const namespace = resolver.namespace(prim);
		const key = `${resolver.domain(prim) ?? ''} ${namespace}`;
		const other = first.get(key);
		if (other === undefined) {
			first.set(key, prim);
			continue;
		}
		const message = `${prim.path} and ${other.path} have the same namespace ${namespace}, expected one of its own for each robot`;
		report.add(namespacePlace(context, prim), message, {
			key: prim.path.toString(),
			related: [{ place: namespacePlace(context, other), message: 'the other robot' }],
		});
	}
}

function checkNamespaceNames(context: CheckContext, report: Reporter): void {
	for (const prim of RosView.of(context).robots) {
		const namespace = authoredText(prim, NAMESPACE);
		if (namespace === undefined || namespace === '' || namespaceFault(namespace) !== undefined) continue;
		const last = namespace.slice(namespace.lastIndexOf('/') + 1);
		const expected = rosNameOf(prim.name);
		if (last === expected) continue;
		report.add(
			context.at(prim.attribute(NAMESPACE)),
			`${NAMESPACE} is ${quote(namespace)}, expected the prim name ${quote(expected)}`,
		);
	}
}

/** A context that the asset authors itself sits on its default prim, or below one that does. */
function checkRootNamespace(context: CheckContext, report: Reporter): void {
	const root = context.stage.defaultPrim;
	if (root === undefined) return;
	for (const prim of RosView.of(context).robots) {
		if (prim.path === root.path || !prim.path.hasPrefix(root.path)) continue;
		const place = context.atSchema(prim, 'RosContextAPI');
		// a module that is referenced here has its own default prim; a context put on the prim that references it overrides it
		if (isOwnRoot(place.node) || holdsArc(prim)) continue;
		const message = `the outermost context is ${prim.path}, expected its namespace on the default prim ${root.path}`;
		report.add(place, message);
	}
}

/** Whether an opinion is the one of the default prim of the layer that an arc brings in. */
function isOwnRoot(node: Node | undefined): boolean {
	if (node === undefined) return false;
	for (let at: Node | null = node; at !== null; at = at.parent) {
		if (at.arcType === ArcType.reference || at.arcType === ArcType.payload) return at.depthBelowIntroduction === 0;
	}
	return false;
}

function holdsArc(prim: Prim): boolean {
	return prim.specs().some(({ layer, path }) => {
		return layer.data.field(path, 'references') !== undefined || layer.data.field(path, 'payload') !== undefined;
	});
}

/** Opinions on the namespace of a module are authored on the prim that references it. */
function checkOverrides(context: CheckContext, report: Reporter): void {
	for (const prim of RosView.of(context).contexts) {
		const [strongest, ...weaker] = namespaceSpecs(context, prim);
		if (strongest === undefined) continue;
		const holder = moduleAbove(context, prim, strongest, weaker.length > 0);
		if (holder === undefined) continue;
		const message = `the namespace of a module is overridden below the prim that references it, expected the override on ${holder}`;
		report.add(context.atSpec(strongest.layer, strongest.path), message);
	}
}

function namespaceSpecs(context: CheckContext, prim: Prim): SpecSite[] {
	const isAuthored = ({ layer, path }: SpecSite): boolean =>
		layer !== context.stage.sessionLayer && layer.data.field(path, 'default') !== undefined;
	return prim.attribute(NAMESPACE).specs().filter(isAuthored);
}

/**
 * The prim whose arc brings the module that a prim is part of, when an opinion about the prim does not come from there and does not stand on the prim
 * of an arc either. Arcs that bring the opinion itself, and those beside them, are of the asset that has it.
 */
function moduleAbove(context: CheckContext, prim: Prim, opinion: SpecSite, isOverride: boolean): Path | undefined {
	const own = new Set<Node>();
	const ownHolders = new Set<Path>();
	for (let at: Node | null = opinion.node; at !== null; at = at.parent) {
		own.add(at);
		if (isArc(at)) ownHolders.add(holderOf(prim, at));
	}
	let found: Path | undefined;
	for (const { node } of prim.specs()) {
		for (let at: Node | null = node; at !== null && !own.has(at); at = at.parent) {
			if (!isArc(at)) continue;
			if (at.depthBelowIntroduction === 0) return undefined;
			const holder = holderOf(prim, at);
			// layers that the asset itself is made of
			const isFeature = ownHolders.has(holder) || (!isOverride && holder === context.stage.defaultPrim?.path);
			if (!isFeature && (found === undefined || holder.hasPrefix(found))) found = holder;
		}
	}
	return found;
}

function isArc({ arcType }: Node): boolean {
	return arcType === ArcType.reference || arcType === ArcType.payload;
}

/** The prim of the stage that has an arc, seen from a prim that the arc brings. */
function holderOf(prim: Prim, arc: Node): Path {
	let path = prim.path;
	for (let i = arc.depthBelowIntroduction; i > 0 && path.parent !== null; i--) path = path.parent;
	return path;
}

function checkCopies(context: CheckContext, report: Reporter): void {
	const { contexts, resolver } = RosView.of(context);
	const first = new Map<string, Prim>();
	for (const prim of contexts) {
		// robots of their own are told apart by R2.1.1.7
		if (resolver.outermost(prim)?.path === prim.path) continue;
		const asset = referencedAsset(prim);
		if (asset === undefined) continue;
		const namespace = resolver.namespace(prim);
		const key = `${asset}\n${namespace}`;
		const other = first.get(key);
		if (other === undefined) {
			first.set(key, prim);
			continue;
		}
		const message = `${prim.path} and ${other.path} reference the same module and have the same namespace ${namespace}, expected a local ${NAMESPACE} for each`;
		const place = context.atField(prim, 'references');
		report.add(place, message, {
			related: [{ place: context.atField(other, 'references'), message: 'the other copy' }],
		});
	}
}

/** Identity of the layer and prim that a reference of this very prim brings in. */
function referencedAsset(prim: Prim): string | undefined {
	for (const { node } of prim.specs()) {
		for (let at: Node | null = node; at !== null; at = at.parent) {
			const isArc = at.arcType === ArcType.reference || at.arcType === ArcType.payload;
			if (isArc && !at.isDueToAncestor) return `${at.layerStack.layers[0]?.identifier ?? ''} ${at.path}`;
		}
	}
	return undefined;
}

function checkPayloads(context: CheckContext, report: Reporter): void {
	for (const prim of RosView.of(context).contexts) {
		if (!isHiddenByPayload(context, prim, 'RosContextAPI')) continue;
		const message = `the context ${prim.path} is not there until a payload is loaded, expected it outside of payloads`;
		report.add(context.atSchema(prim, 'RosContextAPI'), message);
	}
}

/** Instances that hold bodies, joints or interfaces are found by R1.2.6.1 and R3.5.2; here it is about the namespace alone. */
function checkInstances(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		if (!prim.isInstance || prim.isInstanceProxy || !isContext(prim)) continue;
		const message = `${prim.path} is instanceable and has a namespace, which cannot be overridden below it: expected instanceable = false`;
		report.add(context.atField(prim, 'instanceable'), message);
	}
}

function namespacePlace(context: CheckContext, prim: Prim): ReturnType<CheckContext['at']> {
	const attribute = prim.attribute(NAMESPACE);
	return attribute.isAuthored ? context.at(attribute) : context.atSchema(prim, 'RosContextAPI');
}
