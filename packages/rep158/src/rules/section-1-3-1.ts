import { quote } from '@manyworlds/core';
import type { Node, Prim } from '@manyworlds/usd';
import { ArcType } from '@manyworlds/usd/internal';
import { readText } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';
import { meshFactsOf } from '../context/mesh-facts-of.ts';
import type { Place } from '../context/place.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

const collisions = { section: '1.3.1', level: 'should', check: 'static' } as const;
const visuals = { section: '1.3.2', level: 'should', check: 'static' } as const;

/** REP 1.3.1 and 1.3.2: collision and visual geometry of links. */
export const SECTION_1_3_1: readonly Statement[] = [
	{ id: 'R1.3.1.1', ...collisions, visit: checkPurpose },
	{ id: 'R1.3.1.2', ...collisions, visit: checkApproximation },
	{ id: 'R1.3.1.3', ...collisions, visit: checkFidelity },
	{ id: 'R1.3.1.4', ...collisions, level: 'must', visit: checkDefaultFidelity },
	{ id: 'R1.3.1.5', section: '1.3.1', level: 'may', check: 'none' },
	{ id: 'R1.3.2.1', ...visuals, visit: checkScopes },
	{ id: 'R1.3.2.2', ...visuals, visit: checkRepresentation },
	{ id: 'R1.3.2.3', ...visuals, visit: checkRepresentationNames },
	{ id: 'R1.3.2.4', ...visuals, level: 'must', visit: checkSplats },
	{ id: 'R1.3.2.5', ...visuals, level: 'must not', visit: checkVisualColliders },
];

const FIDELITY = 'collision_fidelity';
const REPRESENTATION = 'visual_representation';
const SPLAT = 'volumetric_splat';
const SPLAT_TYPE = 'ParticleField3DGaussianSplat';
const COLLISION = 'PhysicsCollisionAPI';

function checkPurpose(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.colliders) {
		const purpose = context.purposeOf(prim);
		if (purpose === 'guide' || !prim.isA('Imageable')) continue;
		const attribute = prim.attribute('purpose');
		const place = attribute.hasAuthoredValue
			? context.at(attribute)
			: context.atRemoval(prim, ['purpose'], context.atSchema(prim, COLLISION));
		report.add(place, `the collider ${quote(prim.name)} has the purpose ${quote(purpose)}, expected 'guide'`);
	}
}

function checkApproximation(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.colliders) {
		if (prim.typeName !== 'Mesh') continue;
		const attribute = prim.attribute('physics:approximation');
		if (!prim.hasSchema('PhysicsMeshCollisionAPI')) {
			const message = `the mesh collider ${quote(prim.name)} has no PhysicsMeshCollisionAPI, expected it with physics:approximation`;
			const place = attribute.hasAuthoredValue ? context.at(attribute) : context.atSchema(prim, COLLISION);
			report.add(context.atRemoval(prim, ['PhysicsMeshCollisionAPI'], place), message);
		} else if (!attribute.hasAuthoredValue) {
			const message = `the mesh collider ${quote(prim.name)} authors no physics:approximation, expected 'convexHull', or 'none' for a convex mesh`;
			const place = context.atSchema(prim, 'PhysicsMeshCollisionAPI');
			report.add(context.atRemoval(prim, ['physics:approximation'], place), message);
		}
	}
}

function checkFidelity(context: CheckContext, report: Reporter): void {
	if (!context.isDefaultSelection) return;
	if (context.variantPrims.some((prim) => prim.variantSets().includes(FIDELITY))) return;
	const mesh = context.lists.colliders.find(({ typeName }) => typeName === 'Mesh');
	// robots are to have the choice even where all colliders are simple already
	const shape = context.lists.joints.length > 0 ? context.lists.colliders[0] : undefined;
	const collider = mesh ?? shape;
	if (collider === undefined) return;
	const kind = mesh === undefined ? 'colliders' : 'mesh colliders';
	const message = `the asset has ${kind} such as ${quote(collider.name)} and no variant set '${FIDELITY}', expected one with a simple default`;
	const place = context.at(context.stage.defaultPrim ?? collider);
	report.add(place, message, mesh === undefined ? { severity: 'info' } : {});
}

/** Approximations that need no concave mesh. */
export const SIMPLE_APPROXIMATIONS: ReadonlySet<string> = new Set(['convexHull', 'boundingCube', 'boundingSphere']);

function checkDefaultFidelity(context: CheckContext, report: Reporter): void {
	if (!context.isDefaultSelection) return;
	const owners = context.variantPrims.filter((prim) => prim.variantSets().includes(FIDELITY));
	for (const owner of owners) {
		for (const prim of context.subtree(owner)) {
			if (prim.typeName !== 'Mesh' || !prim.hasSchema(COLLISION)) continue;
			const approximation = readText(prim, 'physics:approximation') ?? 'none';
			if (SIMPLE_APPROXIMATIONS.has(approximation)) continue;
			if (approximation === 'none' && isConvexMesh(context, prim)) continue;
			const is = approximation === 'none' ? 'is no convex mesh' : `has the approximation ${quote(approximation)}`;
			const message = `the collider ${quote(prim.name)} ${is} in the default variant of '${FIDELITY}', expected a primitive or 'convexHull'`;
			report.add(placeOfApproximation(context, prim), message);
		}
	}
}

function placeOfApproximation(context: CheckContext, prim: Prim): ReturnType<CheckContext['at']> {
	const attribute = prim.attribute('physics:approximation');
	return attribute.hasAuthoredValue ? context.at(attribute) : context.atSchema(prim, COLLISION);
}

/** Whether a mesh is closed and fills its convex hull; too large ones are not looked at and count as convex. */
function isConvexMesh(context: CheckContext, prim: Prim): boolean {
	const facts = meshFactsOf(context, prim);
	if (facts === undefined) return false;
	const count = facts.triangles.mesh.indices.length / 3;
	return count > context.thresholds.geometryTriangles || facts.isConvex;
}

/** Children that hold the geometry of a link by what it is for. */
function scopesOf(body: Prim): { readonly visual: Prim | undefined; readonly collision: Prim | undefined } {
	const children = body.children();
	return {
		visual: children.find(({ name }) => name === 'visual' || name === 'visuals'),
		collision: children.find(({ name }) => name === 'collision' || name === 'collisions'),
	};
}

function checkScopes(context: CheckContext, report: Reporter): void {
	for (const body of context.lists.bodies) {
		const contents = context.links.get(body.path);
		if (contents === undefined) continue;
		const { visual, collision } = scopesOf(body);
		const isOutside = (prim: Prim, scope: Prim | undefined): boolean => {
			return scope === undefined || !prim.path.hasPrefix(scope.path);
		};
		const isCollider = new Set(contents.colliders.map(({ path }) => path));
		const stray =
			contents.visuals.find((prim) => !isCollider.has(prim.path) && isOutside(prim, visual)) ??
			contents.colliders.find((prim) => isOutside(prim, collision));
		if (stray === undefined) continue;
		const scope = isCollider.has(stray.path) ? 'collision' : 'visual';
		const message = `${quote(stray.name)} of the link ${quote(body.name)} is not in its scope '${scope}', expected sibling scopes 'visual' and 'collision'`;
		report.add(context.at(stray), message);
	}
}

function* visualScopes(context: CheckContext): Generator<Prim> {
	for (const body of context.lists.bodies) {
		const { visual } = scopesOf(body);
		if (visual !== undefined) yield visual;
	}
}

function checkRepresentation(context: CheckContext, report: Reporter): void {
	for (const scope of visualScopes(context)) {
		if (scope.variantSets().includes(REPRESENTATION)) continue;
		report.add(context.at(scope), `the visual scope has no variant set '${REPRESENTATION}', expected one`);
	}
}

const REPRESENTATIONS = ['mesh_medium', 'mesh_high', 'mesh_low', SPLAT] as const;

function checkRepresentationNames(context: CheckContext, report: Reporter): void {
	for (const prim of context.variantPrims) {
		if (!prim.variantSets().includes(REPRESENTATION)) continue;
		for (const name of prim.variants(REPRESENTATION)) {
			if (REPRESENTATIONS.some((known) => known === name)) continue;
			const message = `'${REPRESENTATION}' has the variant ${quote(name)}, expected ${REPRESENTATIONS.join(', ')}`;
			report.add(variantPlace(context, prim, name), message, { key: name });
		}
		const selection = prim.authoredSelections().get(REPRESENTATION);
		// a missing selection has a rule of its own
		if (!context.isDefaultSelection || selection === undefined || selection === 'mesh_medium') continue;
		const message = `the default of '${REPRESENTATION}' is ${quote(selection)}, expected 'mesh_medium'`;
		report.add(context.atField(prim, 'variantSelection', REPRESENTATION), message, { key: 'default' });
	}
}

function checkSplats(context: CheckContext, report: Reporter): void {
	for (const prim of context.variantPrims) {
		if (!prim.variantSets().includes(REPRESENTATION) || prim.variantSelection(REPRESENTATION) !== SPLAT) continue;
		if (context.subtree(prim).some(({ typeName }) => typeName === SPLAT_TYPE)) continue;
		const message = `the variant '${SPLAT}' has no prim of type ${SPLAT_TYPE}, expected one`;
		report.add(variantPlace(context, prim, SPLAT), message);
	}
}

/** Where a variant is written; where its set is when no layer has it. */
function variantPlace(context: CheckContext, prim: Prim, name: string): Place {
	for (const { layer, path, node } of prim.specs()) {
		const variant = path.appendVariant(REPRESENTATION, name);
		if (layer !== context.stage.sessionLayer && layer.data.has(variant)) {
			return { layer, path: variant, shown: prim.path, node };
		}
	}
	return context.atField(prim, 'variantSetNames', REPRESENTATION);
}

function checkVisualColliders(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.colliders) {
		const place = context.atSchema(prim, COLLISION);
		if (!isInVariantOf(place.node, REPRESENTATION)) continue;
		const message = `the collider ${quote(prim.name)} is inside of '${REPRESENTATION}', expected colliders that do not depend on what is shown`;
		report.add(place, message);
	}
}

function isInVariantOf(start: Node | undefined, set: string): boolean {
	for (let node: Node | null = start ?? null; node !== null; node = node.parent) {
		if (node.arcType === ArcType.variant && node.pathAtIntroduction.variantSet === set) return true;
	}
	return false;
}
