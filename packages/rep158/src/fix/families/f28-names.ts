import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import {
	authoredText,
	ContextResolver,
	INTERFACE_SCHEMAS,
	interfaceSchemas,
	isContext,
	resolveName,
} from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import {
	fixedFrameId,
	fixedRosName,
	frameIdFault,
	interfaceTypeFault,
	MAX_ROS_NAME_LENGTH,
	namespaceFault,
	rosNameFault,
	rosNameOf,
} from '../../ros/ros-names.ts';
import { allPrims, eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { removeProperty, removeSchema, schemaSite, setAttribute } from '../engine/sites.ts';

const NAMESPACE = 'ros:context:namespace';

/** F28, the safe part: a parent frame on a nested context is ignored by everybody. */
export const PARENT_FRAMES: Fixer = {
	family: 'F28',
	title: 'parent frames only on outermost contexts',
	rules: ['R2.1.3'],
	safety: 'safe',
	apply(session) {
		eachPrim(
			session,
			(prim) => isContext(prim) && hasContextAbove(prim),
			(prim) => {
				if (prim.attribute('ros:context:parent_frame').isAuthored) {
					removeProperty(session, 'R2.1.3', prim, 'ros:context:parent_frame');
				}
			},
		);
	},
};

/** F28: names that ROS takes, namespaces of their own for each robot, and no interfaces of the simulator. */
export const NAMES: Fixer = {
	family: 'F28',
	title: 'names that ROS takes',
	rules: ['R2.1.1.1', 'R2.1.1.7', 'R2.1.1.8', 'R2.1.1.11', 'R2.3.3', 'R2.3.5', 'R2.7.6', 'R2.9.1', 'R2.9.2'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(session, isContext, (prim) => fixNamespace(session, prim));
		separateRobots(session);
		const hasInterface = (prim: Prim): boolean => interfaceSchemas(prim).length > 0;
		eachPrim(session, hasInterface, (prim) => removeProhibited(session, prim));
		eachPrim(session, hasInterface, (prim) => fixInterface(session, prim));
		eachPrim(
			session,
			(prim) => prim.hasSchema('RosFrameAPI'),
			(prim) => fixFrame(session, prim),
		);
	},
};

function hasContextAbove(prim: Prim): boolean {
	for (let at = prim.parent; at !== undefined && !at.isPseudoRoot; at = at.parent) if (isContext(at)) return true;
	return false;
}

function setText(session: FixSession, rule: RepCode, prim: Prim, name: string, text: string): void {
	const value = makeValue(T.string, text) as Value;
	const site = schemaSite(session, prim, 'Ros');
	setAttribute(session, rule, prim, name, value, { typeName: 'string', variability: 'uniform', site });
}

function fixNamespace(session: FixSession, prim: Prim): void {
	const namespace = authoredText(prim, NAMESPACE);
	if (namespace === undefined || namespace === '') return;
	const isAbsolute = namespace.startsWith('/');
	const fault = namespaceFault(namespace);
	// the outermost namespace is the name of the prim that stands for the robot on the stage
	if (!isAbsolute && !hasContextAbove(prim)) {
		const expected = rosNameOf(prim.name);
		if (namespace !== expected)
			setText(session, fault === undefined ? 'R2.1.1.8' : 'R2.1.1.1', prim, NAMESPACE, expected);
	} else if (fault !== undefined) {
		const bare = rosNameOf(namespace.replace(/^\/+|\/+$/g, ''));
		setText(session, 'R2.1.1.1', prim, NAMESPACE, isAbsolute ? fixedRosName(namespace) : bare);
	}
}

/** Robots, and copies of a module, that would share a namespace get the names of their prims, with numbers where they agree. */
function separateRobots(session: FixSession): void {
	const used = new Set<string>();
	const contexts = allPrims(session.stage).filter(isContext);
	for (const prim of contexts) {
		const at = session.stage.prim(prim.path)!;
		// namespaces change with every edit
		const resolver = new ContextResolver();
		const own = authoredText(at, NAMESPACE) ?? '';
		const namespace = resolver.namespace(at);
		if (own === '' && hasContextAbove(at)) continue;
		if (!used.has(namespace)) {
			used.add(namespace);
			continue;
		}
		const base = rosNameOf(prim.name);
		const above = at.parent === undefined ? '/' : resolver.namespace(at.parent);
		const name = freeNamespace(at, base, (candidate) => used.has(resolveName(above, candidate)));
		used.add(resolveName(above, name));
		const rule = hasContextAbove(at) ? 'R2.1.1.11' : 'R2.1.1.7';
		overrideNamespace(session, rule, at, name);
	}
}

/** A namespace that ends with the name of the prim and is free: prims above it in front, then numbers behind it. */
function freeNamespace(prim: Prim, base: string, isUsed: (name: string) => boolean): string {
	if (!isUsed(base)) return base;
	let absolute = `/${base}`;
	for (let at = prim.parent; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		absolute = `/${rosNameOf(at.name)}${absolute}`;
		if (!isUsed(absolute)) return absolute;
	}
	for (let i = 2; ; i++) if (!isUsed(`${base}_${i}`)) return `${base}_${i}`;
}

/** Says the namespace on the prim that holds the arc to the module, or where it is authored when there is no arc. */
function overrideNamespace(session: FixSession, rule: 'R2.1.1.7' | 'R2.1.1.11', prim: Prim, name: string): void {
	const isOwn = prim.stage.layerStack().includes(prim.attribute(NAMESPACE).specs()[0]?.layer ?? prim.stage.rootLayer);
	if (isOwn && prim.attribute(NAMESPACE).isAuthored) {
		setText(session, rule, prim, NAMESPACE, name);
		return;
	}
	session.edit(rule, session.rootLayer, (layer) => {
		const path = prim.path.appendProperty(NAMESPACE);
		if (!layer.has(path)) layer.createAttribute(path, 'string', { variability: 'uniform' });
		layer.setField(path, 'default', makeValue(T.string, name) as Value);
	});
}

/** The clock and the control of a simulation are not the business of an asset. */
function removeProhibited(session: FixSession, prim: Prim): void {
	const resolver = new ContextResolver();
	for (const { api, prefix, noun } of INTERFACE_SCHEMAS) {
		if (!prim.hasSchema(api)) continue;
		const type = authoredText(prim, `${prefix}:type`) ?? '';
		const name = authoredText(prim, `${prefix}:name`);
		const isClock = noun === 'topic' && name !== undefined && resolveName(resolver.namespace(prim), name) === '/clock';
		const isSimulator = type.startsWith('simulation_interfaces/') || /^rosgraph_msgs\/(?:msg\/)?Clock$/.test(type);
		if (!isClock && !isSimulator) continue;
		const rule = isClock ? 'R2.9.1' : 'R2.9.2';
		for (const property of prim.authoredPropertyNames()) {
			if (property.startsWith(`${prefix}:`)) removeProperty(session, rule, session.stage.prim(prim.path)!, property);
		}
		removeSchema(session, rule, session.stage.prim(prim.path)!, api);
		session.note(rule, `the ${noun} ${name ?? ''} of type ${type} was removed: it belongs to the simulator`, { prim });
	}
}

function fixInterface(session: FixSession, prim: Prim): void {
	for (const { prefix, kind } of interfaceSchemas(prim)) {
		const name = authoredText(prim, `${prefix}:name`);
		if (name !== undefined && name !== '' && rosNameFault(name) !== undefined) {
			const fixed = fixedRosName(name);
			if (rosNameFault(fixed) === undefined)
				setText(session, 'R2.3.3', session.stage.prim(prim.path)!, `${prefix}:name`, fixed);
		}
		const length = resolveName(new ContextResolver().namespace(prim), name ?? '').length;
		if (length > MAX_ROS_NAME_LENGTH)
			session.refuse('R2.3.3', `the name has ${length} letters, ROS takes ${MAX_ROS_NAME_LENGTH}`, { prim });
		const type = authoredText(prim, `${prefix}:type`);
		if (type === undefined || interfaceTypeFault(type, kind) === undefined) continue;
		const [, packageName, typeName] = /^([a-z]\w*)\/([A-Z]\w*)$/.exec(type) ?? [];
		if (packageName === undefined) {
			session.refuse('R2.3.5', `the type ${type} cannot be told to be one of ROS 2`, { prim });
			continue;
		}
		setText(session, 'R2.3.5', session.stage.prim(prim.path)!, `${prefix}:type`, `${packageName}/${kind}/${typeName}`);
	}
}

function fixFrame(session: FixSession, prim: Prim): void {
	const id = authoredText(prim, 'ros:frame:id');
	if (id === undefined || frameIdFault(id) === undefined) return;
	setText(session, 'R2.7.6', prim, 'ros:frame:id', id === '' ? rosNameOf(prim.name) : fixedFrameId(id));
}
