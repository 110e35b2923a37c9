import {
	type Layer,
	ListOp,
	makeValue,
	type Node,
	type Path,
	type Prim,
	SpecType,
	T,
	type Value,
} from '@manyworlds/usd';
import {
	ArcType,
	dataOf,
	freeChild,
	isByOwnArc,
	isChildrenField,
	makeReference,
	type SpecSite,
	translateToNode,
	valuesEqual,
} from '@manyworlds/usd/internal';
import { hasSchema, isCollider, isJoint } from '../../asset/read-values.ts';
import { THRESHOLDS } from '../../check-options.ts';
import { equalMeshes } from '../../rules/section-3-5.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setPrimField } from '../engine/sites.ts';

const RULE = 'R3.5.1';
const PROTOTYPES = 'Prototypes';
const MESH = 'mesh';

/** F38: equal meshes become instances, of what an arc brings or of a prototype that is made of the first. */
export const SHARED_MESHES: Fixer = {
	family: 'F38',
	title: 'equal meshes as instances of one',
	rules: [RULE],
	safety: 'unsafe',
	apply(session) {
		if (!session.wants(RULE)) return;
		const meshes = [...session.stage.traverse()].filter((prim) => prim.typeName === 'Mesh');
		const groups = equalMeshes(meshes, THRESHOLDS.repeatedMeshes).map((group) => group.map(({ path }) => path));
		if (groups.length === 0) return;
		const targets = targetPaths(session);
		for (const group of groups) share(session, group, targets);
	},
};

function share(session: FixSession, group: readonly Path[], targets: ReadonlySet<Path>): void {
	// an instance that was made for another mesh may have taken one along
	const meshes = group.flatMap((path) => session.stage.prim(path) ?? []).filter((mesh) => !mesh.isInstanceProxy);
	const holders = new Map(meshes.map((mesh) => [mesh, arcHolder(mesh)]));
	const users = new Map<string, number>();
	for (const holder of holders.values()) {
		if (holder !== undefined) users.set(contentKey(holder), (users.get(contentKey(holder)) ?? 0) + 1);
	}
	const isShared = (holder: Prim | undefined): holder is Prim =>
		holder !== undefined && users.get(contentKey(holder))! > 1;
	const shared = [...holders.values()].filter(isShared).map(({ path }) => path);
	const alone = meshes.filter((mesh) => !isShared(holders.get(mesh)));
	for (const path of shared)
		setPrimField(session, RULE, session.stage.prim(path)!, 'instanceable', makeValue(T.bool, true) as Value);
	const kinds: Prim[][] = [];
	const left: { prim: Prim; reason: string }[] = [];
	for (const mesh of alone) {
		const reason = obstacle(mesh, targets);
		const kind = reason === undefined ? kinds.find(([first]) => isAlike(first!, mesh)) : undefined;
		if (reason !== undefined) left.push({ prim: mesh, reason });
		else if (kind === undefined) kinds.push([mesh]);
		else kind.push(mesh);
	}
	for (const kind of kinds) {
		const reason =
			kind.length > 1 ? makeInstances(session, kind) : 'it says other things than meshes of the same points';
		if (reason !== undefined) left.push(...kind.map((prim) => ({ prim, reason })));
	}
	// fewer are no repetition
	if (left.length < THRESHOLDS.repeatedMeshes) return;
	for (const { prim, reason } of left) session.refuse(RULE, `it cannot be an instance: ${reason}`, { prim });
}

/** The prim above a mesh whose arc brings it and nothing but geometry, untouched from outside. */
function arcHolder(mesh: Prim): Prim | undefined {
	for (let at = mesh.parent; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		if (isLogical(at) || at.isA('Gprim') || at === mesh.stage.defaultPrim) return undefined;
		const hasArc = at.specs().some(({ node }) => isOwnReference(node, at.path.depth));
		if (hasArc) return isUntouched(at) ? at : undefined;
	}
	return undefined;
}

/** Whether everything below a prim comes by its own arcs, and is geometry. */
function isUntouched(holder: Prim): boolean {
	const depth = holder.path.depth;
	const stack = [...holder.children()];
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		if (isLogical(prim)) return false;
		for (const { node } of prim.specs()) {
			if (!isOwnReference(node, depth)) return false;
		}
		stack.push(...prim.children());
	}
	return true;
}

/** Whether a node comes by a reference or payload of a prim at a depth. */
function isOwnReference(node: Node, depth: number): boolean {
	for (let at = node; at.parent !== null; at = at.parent) {
		if (at.namespaceDepth === depth && (at.arcType === ArcType.reference || at.arcType === ArcType.payload))
			return true;
	}
	return false;
}

/** What the references of a prim lead to: instances of the same share it. */
function contentKey(holder: Prim): string {
	return holder
		.specs()
		.filter(({ node }) => isOwnReference(node, holder.path.depth))
		.map(({ layer, path }) => `${layer.identifier} ${path}`)
		.join();
}

function isLogical(prim: Prim): boolean {
	return (
		isJoint(prim) ||
		hasSchema(prim, 'PhysicsRigidBodyAPI') ||
		hasSchema(prim, 'PhysicsArticulationRootAPI') ||
		(prim.authoredSchemas ?? []).some((schema) => /^Ros[A-Z]/.test(schema))
	);
}

/** Properties that stay with an instance: shapes below it inherit them. */
function staysOutside(name: string): boolean {
	return /^xformOp(?::|Order$)|^material:binding(?::|$)|^(?:purpose|visibility)$/.test(name);
}

/** Why a mesh cannot be an instance. */
function obstacle(mesh: Prim, targets: ReadonlySet<Path>): string | undefined {
	if (isLogical(mesh)) return 'it moves or talks';
	if (isCollider(mesh)) return 'it collides, and how it does is for each of them to say';
	for (const path of targets) if (path.hasPrefix(mesh.path)) return `a relationship or connection leads to <${path}>`;
	return undefined;
}

/** Whether two meshes say the same about themselves, apart from what instances say. */
function isAlike(a: Prim, b: Prim): boolean {
	const names = (prim: Prim): string[] =>
		prim
			.authoredPropertyNames()
			.filter((name) => !staysOutside(name))
			.sort();
	const list = names(a);
	if (list.join() !== names(b).join()) return false;
	const schemas = (prim: Prim): string =>
		(prim.authoredSchemas ?? []).filter((name) => name !== 'MaterialBindingAPI').join();
	if (schemas(a) !== schemas(b)) return false;
	const isSame = list.every((name) => {
		const [p, q] = [a.attribute(name), b.attribute(name)];
		return (
			valuesEqual(p.get(), q.get()) &&
			valuesEqual(p.metadata('interpolation'), q.metadata('interpolation')) &&
			p.timeSamples().length + q.timeSamples().length === 0
		);
	});
	if (!isSame) return false;
	const children = b.children();
	return (
		a.children().length === children.length &&
		a.children().every((child, i) => child.name === children[i]!.name && isAlike(child, children[i]!))
	);
}

/** Where the parts of a mesh go in one layer. */
interface Division {
	readonly site: SpecSite;
	readonly prototype: Path;
}

/** Makes a prototype of the first mesh and instances of all; gives the reason when that cannot be. */
function makeInstances(session: FixSession, kind: readonly Prim[]): string | undefined {
	const [first] = kind;
	const root = session.stage.defaultPrim;
	if (root === undefined) return 'without a default prim there is no place for a prototype';
	const stagePath = freeChild(session.stage, root.path.appendChild(PROTOTYPES), first!.name, new Set());
	// transforms stay outside: those that arcs bring to a mesh come with its content and must not act twice
	const ordered = kind.map((mesh) => mesh.specs().filter(hasOrder));
	const isBrought = ordered.some((sites) => sites.some(({ node }) => isByOwnArc(node)));
	const overrules = ordered.map((sites) => sites.some(({ node }) => !isByOwnArc(node)));
	if (isBrought && overrules.includes(true) && overrules.includes(false)) {
		return 'some meshes of its kind have transforms of their own, others that of what they reference';
	}
	const plans: Division[][] = [];
	for (const mesh of kind) {
		const plan = divide(session, mesh, stagePath);
		if (typeof plan === 'string') return plan;
		plans.push(plan);
	}
	plans.forEach((plan, i) => {
		for (const division of plan) {
			if (i === 0) makePrototype(session, division);
			else strip(session, division);
		}
		makeInstance(session, plan);
		const { path } = kind[i]!;
		session.noteMove(RULE, path, path.appendChild(MESH));
	});
	if (isBrought && overrules[0]!) stayInPlace(session, plans[0]!);
	return undefined;
}

function hasOrder({ layer, path }: SpecSite): boolean {
	return layer.has(path.appendProperty('xformOpOrder'));
}

/** Lets a prototype ignore the transform that its content has by itself. */
function stayInPlace(session: FixSession, plan: readonly Division[]): void {
	const { site, prototype } = plan.find((division) => isDefinition(division.site))!;
	const order = prototype.appendChild(MESH).appendProperty('xformOpOrder');
	session.edit(RULE, site.layer, (layer) => {
		layer.createAttribute(order, 'token[]', { variability: 'uniform' });
		layer.setField(order, 'default', makeValue(T.token.array, []) as Value);
	});
}

function divide(session: FixSession, mesh: Prim, stagePath: Path): Division[] | string {
	const plan: Division[] = [];
	for (const site of mesh.specs()) {
		if (site.layer === session.stage.sessionLayer || isByOwnArc(site.node)) continue;
		if (!session.isEditable(site.layer)) return `${site.layer.identifier} cannot be changed from here`;
		const prototype = translateToNode(site.node.mapToRoot, stagePath);
		if (prototype === undefined) return `${site.layer.identifier} has no place for <${stagePath}>`;
		plan.push({ site, prototype });
	}
	return plan.some(({ site }) => isDefinition(site)) ? plan : 'no layer that may be edited defines it';
}

function isDefinition({ layer, path }: SpecSite): boolean {
	return layer.field(path, 'specifier')?.data === 'def';
}

/** Fields of a prim spec that say what it is made of. */
const CONTENT: ReadonlySet<string> = new Set(['references', 'payload', 'inheritPaths', 'specializes']);

function hasContent({ layer, path }: SpecSite): boolean {
	const names = dataOf(layer.field(path, 'properties'), T.tokenVector) ?? [];
	const schemas = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
	const others = [...(schemas?.explicitItems ?? []), ...(schemas?.prependedItems ?? [])];
	return (
		names.some((name) => !staysOutside(name)) ||
		others.some((name) => name !== 'MaterialBindingAPI') ||
		layer.fieldNames(path).some((name) => CONTENT.has(name) || name === 'primChildren' || name === 'variantSetChildren')
	);
}

/** Moves what a spec says about the mesh into the prototype, and leaves what is said about its place. */
function makePrototype(session: FixSession, { site, prototype }: Division): void {
	const { layer, path } = site;
	if (!isDefinition(site) && !hasContent(site)) return;
	const mesh = prototype.appendChild(MESH);
	const siblings = dataOf(layer.field(path.parent!, 'primChildren'), T.tokenVector) ?? [];
	session.edit(RULE, layer, () => {
		const scope = prototype.parent!;
		const isNew = !layer.has(scope);
		if (isDefinition(site)) {
			layer.createPrim(prototype, { specifier: 'def', typeName: 'Xform' });
			if (isNew || layer.field(scope, 'specifier')?.data === 'over')
				layer.setField(scope, 'specifier', makeValue(T.specifier, 'class') as Value);
		} else layer.createPrim(prototype);
	});
	session.moveSpec(RULE, layer, path, mesh);
	session.edit(RULE, layer, () => {
		layer.createPrim(path, {
			specifier: isDefinition({ ...site, path: mesh }) ? 'def' : 'over',
			typeName: '',
		});
		const now = dataOf(layer.field(path.parent!, 'primChildren'), T.tokenVector) ?? [];
		const added = now.filter((name) => !siblings.includes(name));
		layer.reorderChildren(path.parent!, 'primChildren', [...siblings, ...added]);
		for (const name of dataOf(layer.field(mesh, 'properties'), T.tokenVector) ?? []) {
			if (staysOutside(name)) layer.moveSpec(mesh.appendProperty(name), path.appendProperty(name));
		}
		for (const name of layer.fieldNames(mesh)) {
			if (CONTENT.has(name) || isChildrenField(name) || ['specifier', 'typeName', 'apiSchemas'].includes(name))
				continue;
			layer.setField(path, name, layer.field(mesh, name)!);
			layer.eraseField(mesh, name);
		}
		divideSchemas(layer, mesh, path);
	});
}

/** `MaterialBindingAPI` belongs to the bindings, which stay. */
function divideSchemas(layer: Layer, mesh: Path, instance: Path): void {
	const op = dataOf(layer.field(mesh, 'apiSchemas'), T.tokenListOp);
	if (op === undefined) return;
	const part = (isBinding: boolean): ListOp<string> =>
		op.mapItems((item) => ((item === 'MaterialBindingAPI') === isBinding ? item : undefined));
	for (const [path, left] of [
		[mesh, part(false)],
		[instance, part(true)],
	] as const) {
		if (left.isInert) layer.eraseField(path, 'apiSchemas');
		else layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, left) as Value);
	}
}

/** Takes away what the prototype says in the same words. */
function strip(session: FixSession, { site }: Division): void {
	const { layer, path } = site;
	session.edit(RULE, layer, () => {
		for (const name of [...(dataOf(layer.field(path, 'properties'), T.tokenVector) ?? [])])
			if (!staysOutside(name)) layer.removeSpec(path.appendProperty(name));
		for (const name of [...(dataOf(layer.field(path, 'primChildren'), T.tokenVector) ?? [])])
			layer.removeSpec(path.appendChild(name));
		for (const name of layer.fieldNames(path)) if (CONTENT.has(name)) layer.eraseField(path, name);
		const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined) return;
		const left = op.mapItems((item) => (item === 'MaterialBindingAPI' ? item : undefined));
		if (left.isInert) layer.eraseField(path, 'apiSchemas');
		else layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, left) as Value);
	});
}

function makeInstance(session: FixSession, plan: readonly Division[]): void {
	const { site, prototype } = plan.find((division) => isDefinition(division.site))!;
	const { layer, path } = site;
	session.edit(RULE, layer, () => {
		layer.setField(path, 'typeName', makeValue(T.token, 'Xform') as Value);
		layer.setField(path, 'instanceable', makeValue(T.bool, true) as Value);
		const arcs = ListOp.edits({ prependedItems: [makeReference('', prototype)] });
		layer.setField(path, 'references', makeValue(T.referenceListOp, arcs) as Value);
	});
}

/** Every path that relationships and connections of the asset lead to, as layers write them. */
function targetPaths(session: FixSession): Set<Path> {
	const found = new Set<Path>();
	for (const layer of session.layers()) {
		for (const path of layer.data.paths()) {
			const type = layer.specType(path);
			if (type !== SpecType.attribute && type !== SpecType.relationship) continue;
			for (const field of ['targetPaths', 'connectionPaths']) {
				const op = dataOf(layer.field(path, field), T.pathListOp);
				if (op === undefined) continue;
				for (const item of [...op.explicitItems, ...op.prependedItems, ...op.appendedItems, ...op.addedItems])
					found.add(item.makeAbsolute(path.primPath));
			}
		}
	}
	return found;
}
