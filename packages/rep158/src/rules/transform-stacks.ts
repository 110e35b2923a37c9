import { quote } from '@manyworlds/core';
import type { Node, Path, Prim } from '@manyworlds/usd';
import { ArcType, factorMatrix, isXformable, xformOpKind, xformOpMatrix } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { placeOf } from '../context/find-place.ts';
import { shown } from '../context/shown.ts';
import type { Reporter } from '../reporter.ts';

const TRANSLATE = 'xformOp:translate';
const ORIENT = 'xformOp:orient';
/** Relative deviation of a scale from 1 that rounding explains. */
const SCALE_TOLERANCE = 1e-6;
/** Radians of a rotation that rounding explains. */
const ANGLE_TOLERANCE = 1e-6;

/** REP 1.1.7: links are placed by one translate and one orient. */
export function checkBodyStacks(context: CheckContext, report: Reporter): void {
	for (const prim of kinematicPrims(context)) {
		const order = context.xformOrder(prim);
		const isBody = prim.hasSchema('PhysicsRigidBodyAPI');
		if (order.length === 0) {
			if (isBody) {
				const message = 'the rigid body has no xformOpOrder, expected [xformOp:translate, xformOp:orient]';
				const place = context.atSchema(prim, 'PhysicsRigidBodyAPI');
				report.add(context.atRemoval(prim, ['xformOpOrder'], place), message);
			}
			continue;
		}
		checkStack(context, report, prim, order);
	}
}

function checkStack(context: CheckContext, report: Reporter, prim: Prim, order: readonly string[]): void {
	const kinds = order.map((name) => xformOpKind(name));
	// matrices and Euler angles have rules of their own
	if (kinds.includes('transform')) return;
	if (kinds.some(isEuler) && (context.settings.profile === 'distributed' || isMinimalEuler(order))) return;
	const rest = order.filter((_, i) => kinds[i] !== 'scale');
	const isStandard = rest.length === 2 && rest[0] === TRANSLATE && rest[1] === ORIENT;
	if (isStandard && rest.length === order.length) return;
	const place = context.at(prim.attribute('xformOpOrder'));
	const found = `xformOpOrder is [${order.join(', ')}], expected [${TRANSLATE}, ${ORIENT}]`;
	if (!isStandard) {
		report.add(place, found);
		return;
	}
	const scale = scaleOfOps(context, prim);
	if (scale !== undefined) return;
	report.add(place, `${found}: the scale is 1 and can go`, { severity: 'warning' });
}

/** Source assets may turn by angles, for people to read. */
function isMinimalEuler(order: readonly string[]): boolean {
	return (
		order.length === 2 && order[0] === TRANSLATE && isEuler(xformOpKind(order[1]!)) && !order[1]!.startsWith('!invert!')
	);
}

/** REP 1.1.8: no prim has a baked matrix. */
export function checkMatrices(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		const name = context.xformOrder(prim).find((at) => xformOpKind(at) === 'transform');
		if (name === undefined) continue;
		const attribute = prim.attribute(name.replace(/^!invert!/, ''));
		report.add(
			context.at(attribute),
			`${quote(name)} is a baked matrix, expected xformOp:translate and xformOp:orient`,
		);
	}
}

/** REP 1.1.9: distributed assets have no Euler angles. */
export function checkEuler(context: CheckContext, report: Reporter): void {
	if (context.settings.profile === 'source') return;
	for (const prim of context.lists.all) {
		const name = context.xformOrder(prim).find((at) => isEuler(xformOpKind(at)));
		if (name === undefined) continue;
		const attribute = prim.attribute(name.replace(/^!invert!/, ''));
		report.add(context.at(attribute), `${quote(name)} turns by angles, expected a quaternion, xformOp:orient`);
	}
}

/** REP 1.1.10: links are not scaled, neither themselves nor by what is above them. */
export function checkBodyScale(context: CheckContext, report: Reporter): void {
	const above = new Map<Prim['path'], readonly [prim: Prim, body: Prim]>();
	for (const body of context.lists.bodies) {
		for (let at: Prim | undefined = body; at !== undefined && !at.isPseudoRoot; at = at.parent) {
			if (above.has(at.path)) break;
			above.set(at.path, [at, body]);
			if (context.transforms.localTransform(at).resetsXformStack) break;
		}
	}
	for (const [prim, body] of above.values()) {
		const scale = scaleOfOps(context, prim) ?? scaleOfMatrix(context, prim);
		if (scale === undefined) continue;
		const [first] = scale.factors;
		const isUniform = scale.factors.every((factor) => factor === first);
		const factors = isUniform ? shown(first!) : `(${[...scale.factors].map(shown).join(', ')})`;
		const what = prim === body ? 'the rigid body is' : `the rigid body ${quote(body.name)} below the prim is`;
		report.add(context.at(prim.attribute(scale.name)), `${what} scaled by ${factors}, expected no scale`);
	}
}

/** REP 1.1.11: scale is for single shapes. */
export function checkGroupScale(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		const order = context.xformOrder(prim);
		if (!order.some((name) => isScale(xformOpKind(name)))) continue;
		const scale = scaleOfOps(context, prim);
		if (scale === undefined) continue;
		const below = context.subtree(prim);
		// scaled links are those of the rule before
		if (below.some((at) => at.hasSchema('PhysicsRigidBodyAPI'))) continue;
		const shapes = below.filter((at) => at.isA('Gprim')).length;
		if (shapes < 2) continue;
		const message = `the scale applies to ${shapes} shapes, expected it on each of them`;
		report.add(context.at(prim.attribute(scale.name)), message);
	}
}

/** REP 1.1.12: the asset is not turned at its root. */
export function checkRootRotation(context: CheckContext, report: Reporter): void {
	const root = context.assetRoot;
	for (const [prim, isRoot] of rootChain(root)) {
		const { matrix } = context.transforms.localTransform(prim);
		const degrees = (rotationAngle(matrix) * 180) / Math.PI;
		if (!(degrees > (ANGLE_TOLERANCE * 180) / Math.PI)) continue;
		// below the root only a turn of the up axis is there to align geometry
		if (!isRoot && !tipsUpAxis(matrix)) continue;
		const place = context.at(prim.attribute(rotatingOp(context, prim)));
		const what = isRoot ? 'the default prim' : 'the only prim below the default prim';
		report.add(place, `${what} is turned by ${shown(degrees)} degrees, expected geometry that is Z-up as stored`);
		return;
	}
}

/** REP 1.1.13: meshes that are turned from Y-up to Z-up tell of a source that was not. */
export function checkQuarterTurns(context: CheckContext, report: Reporter): void {
	const turned = turnedGeometry(context.lists.meshes, context.assetRoot, (prim) =>
		context.xformOrder(prim).length > 0 ? context.transforms.localTransform(prim).matrix : undefined,
	);
	for (const prim of turned) {
		const place = context.at(prim.attribute(rotatingOp(context, prim)));
		report.add(
			place,
			'the geometry is turned by 90 degrees about X, expected points and normals that are Z-up as stored',
		);
	}
}

/**
 * Prims that turn meshes by 90 degrees about X, when most meshes of an asset are turned so, or most of a part of it: what comes by an arc or a variant
 * has a source of its own.
 */
export function turnedGeometry(
	meshes: readonly Prim[],
	root: Prim | undefined,
	localMatrix: (prim: Prim) => Float64Array | undefined,
): Prim[] {
	const parts = new Map<string, { readonly meshes: Prim[]; readonly depth: number }>();
	for (const mesh of meshes) {
		const part = partOf(mesh, root);
		const known = part && parts.get(part.key);
		if (known !== undefined) known.meshes.push(mesh);
		else if (part !== undefined) parts.set(part.key, { meshes: [mesh], depth: part.depth });
	}
	const turned = new Map(quarterTurned(meshes, root, localMatrix).map((prim) => [prim.path, prim]));
	for (const { meshes: own, depth } of parts.values()) {
		// how the part as a whole is placed says nothing about its source
		const inside = (prim: Prim): Float64Array | undefined => (prim.path.depth > depth ? localMatrix(prim) : undefined);
		for (const prim of quarterTurned(own, root, inside)) turned.set(prim.path, prim);
	}
	return [...turned.values()];
}

/** The arc or variant that brings the part of an asset that a mesh is in; undefined for what the asset itself is made of. */
function partOf(mesh: Prim, root: Prim | undefined): { readonly key: string; readonly depth: number } | undefined {
	for (let node: Node | null = placeOf(mesh).node ?? null; node !== null; node = node.parent) {
		const depth = node.depthBelowIntroduction;
		const holder = mesh.path.depth - depth;
		// a mesh that references its points alone is no part
		if (depth === 0) continue;
		if (node.arcType === ArcType.variant) {
			const { variantSet, variantSelection } = node.pathAtIntroduction;
			if (REPRESENTATION_SETS.has(variantSet)) continue;
			return { key: `${node.introPath} ${variantSet} ${variantSelection}`, depth: holder };
		}
		if (node.arcType === ArcType.reference || node.arcType === ArcType.payload) {
			// the layers that the asset itself is made of
			if (holder <= (root?.path.depth ?? 0)) continue;
			return { key: `${node.layerStack.layers[0]?.identifier} ${node.pathAtIntroduction} ${holder}`, depth: holder };
		}
	}
	return undefined;
}

/** Variant sets that show one part in several ways. */
const REPRESENTATION_SETS: ReadonlySet<string> = new Set(['visual_representation', 'collision_fidelity']);

/** Prims that turn meshes by 90 degrees about X, when most of them are turned so. */
function quarterTurned(
	meshes: readonly Prim[],
	root: Prim | undefined,
	localMatrix: (prim: Prim) => Float64Array | undefined,
): Prim[] {
	const chain = new Set([...rootChain(root)].map(([prim]) => prim.path));
	const turned: Prim[] = [];
	const roots = new Set<Path>();
	for (const mesh of meshes) {
		let found: Prim | undefined;
		let at: Prim | undefined = mesh;
		for (; at !== undefined && !at.isPseudoRoot && !at.hasSchema('PhysicsRigidBodyAPI'); at = at.parent) {
			if (chain.has(at.path)) break;
			const matrix = localMatrix(at);
			if (matrix !== undefined && isQuarterTurnAboutX(matrix)) {
				found = at;
				break;
			}
		}
		if (found !== undefined && !roots.has(found.path)) turned.push(found);
		roots.add((found ?? mesh).path);
	}
	// single parts may well lie that way: most of the asset says something about its source
	return turned.length * 2 <= roots.size ? [] : turned;
}

/** Prims that a ROS transform has to express: links, and roots and frames that can be transformed. */
export function* kinematicPrims(context: CheckContext): Generator<Prim> {
	const { bodies, articulationRoots, ros } = context.lists;
	yield* bodies;
	const isBody = new Set(bodies.map(({ path }) => path));
	const seen = new Set<Prim['path']>();
	for (const prim of [...articulationRoots, ...ros]) {
		if (isBody.has(prim.path) || seen.has(prim.path) || !isXformable(prim)) continue;
		seen.add(prim.path);
		const isFrame = prim.hasSchema('RosFrameAPI') || prim.hasSchema('RosContextAPI');
		if (isFrame || prim.hasSchema('PhysicsArticulationRootAPI')) yield prim;
	}
}

/** The factors of the scale operations of a prim, and the attribute of the first; undefined when they are 1 (or there is none). */
export function scaleOfOps(
	context: CheckContext,
	prim: Prim,
): { readonly factors: Float64Array; readonly name: string } | undefined {
	const factors = new Float64Array([1, 1, 1]);
	let name: string | undefined;
	for (const entry of context.xformOrder(prim)) {
		const kind = xformOpKind(entry);
		if (kind === undefined || !isScale(kind)) continue;
		const attribute = entry.replace(/^!invert!/, '');
		const value = prim.attribute(attribute).get();
		const matrix = value && xformOpMatrix(kind, value, entry !== attribute);
		if (matrix === undefined) continue;
		for (let i = 0; i < 3; i++) factors[i] = factors[i]! * matrix[i * 5]!;
		name ??= attribute;
	}
	const isOne = factors.every((factor) => Math.abs(factor - 1) <= SCALE_TOLERANCE);
	return name === undefined || isOne ? undefined : { factors, name };
}

/** The scale that a baked matrix hides. */
function scaleOfMatrix(
	context: CheckContext,
	prim: Prim,
): { readonly factors: Float64Array; readonly name: string } | undefined {
	const name = context.xformOrder(prim).find((at) => xformOpKind(at) === 'transform');
	if (name === undefined) return undefined;
	const { scale } = factorMatrix(context.transforms.localTransform(prim).matrix);
	const isOne = scale.every((factor) => Math.abs(factor - 1) <= SCALE_TOLERANCE);
	return isOne ? undefined : { factors: scale, name: name.replace(/^!invert!/, '') };
}

/** The default prim and, while there is only one, the transformable prims below it that are no links or shapes. */
function* rootChain(root: Prim | undefined): Generator<readonly [prim: Prim, isRoot: boolean]> {
	let at = root;
	for (let isRoot = true; at !== undefined; isRoot = false) {
		if (!isRoot && (at.hasSchema('PhysicsRigidBodyAPI') || at.isA('Gprim'))) return;
		yield [at, isRoot];
		const children: Prim[] = at.children().filter((child) => child.isActive && child.isDefined && isXformable(child));
		at = children.length === 1 ? children[0] : undefined;
	}
}

/** The operation of a prim that turns it. */
function rotatingOp(context: CheckContext, prim: Prim): string {
	const order = context.xformOrder(prim);
	const name = order.find((at) => {
		const kind = xformOpKind(at);
		return kind === 'orient' || kind === 'transform' || isEuler(kind);
	});
	return (name ?? 'xformOpOrder').replace(/^!invert!/, '');
}

function isEuler(kind: string | undefined): boolean {
	return kind?.startsWith('rotate') === true;
}

function isScale(kind: string | undefined): boolean {
	return kind?.startsWith('scale') === true;
}

/** Radians by which a matrix turns, without its scale. */
function rotationAngle(matrix: Float64Array): number {
	const { rotation } = factorMatrix(matrix);
	const [x, y, z, w] = rotation as unknown as [number, number, number, number];
	return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
}

/** Whether a matrix takes the Z axis into the horizontal plane. */
function tipsUpAxis(matrix: Float64Array): boolean {
	const length = Math.hypot(matrix[8]!, matrix[9]!, matrix[10]!);
	return length > 0 && Math.abs(matrix[10]!) <= 1e-3 * length;
}

/** Whether a matrix turns by plus or minus 90 degrees about X, and by nothing else. */
function isQuarterTurnAboutX(matrix: Float64Array): boolean {
	const { rotation } = factorMatrix(matrix);
	const [x, y, z, w] = rotation as unknown as [number, number, number, number];
	const half = Math.SQRT1_2;
	return Math.abs(Math.abs(x) - half) < 1e-3 && Math.abs(Math.abs(w) - half) < 1e-3 && Math.hypot(y, z) < 1e-3;
}
