import { makeValue, type Path, type Prim, selectVariant, T, type Value } from '@manyworlds/usd';
import { dataOf, listVariantSet, type SpecSite, translateToNode } from '@manyworlds/usd/internal';
import { bodyOf, isCollider, isJoint, readText } from '../../asset/read-values.ts';
import { THRESHOLDS } from '../../check-options.ts';
import { readMeshArrays } from '../../geometry/mesh-arrays.ts';
import { MeshFacts } from '../../geometry/mesh-facts.ts';
import { SIMPLE_APPROXIMATIONS } from '../../rules/section-1-3-1.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applySchema, propertySite, removeProperty, schemaSite } from '../engine/sites.ts';

const RULE = 'R1.3.1.3';
const SET = 'collision_fidelity';
const ATTRIBUTE = 'physics:approximation';

/** A mesh collider, how it collides by default, and the prim that has the variants. */
interface Choice {
	readonly mesh: Path;
	readonly owner: Path;
	readonly baseline: string;
}

/** F18: mesh colliders that are simple by default, with the mesh itself as a variant. */
export const FIDELITY: Fixer = {
	family: 'F18',
	title: 'variants of what mesh colliders collide as',
	rules: ['R1.3.1.3', 'R1.3.1.4'],
	safety: 'unsafe',
	apply(session) {
		const prims = [...session.stage.traverse()];
		if (prims.some((prim) => prim.variantSets().includes(SET))) {
			if (session.wants('R1.3.1.4')) simplify(session, prims);
			return;
		}
		if (!session.wants(RULE)) return;
		const meshes = prims.filter((prim) => prim.typeName === 'Mesh' && isCollider(prim));
		const choices = meshes.map((mesh) => choose(session, mesh));
		// one that is not told would break R1.3.1.4
		if (choices.some((choice) => choice === undefined)) return;
		for (const choice of choices) makeVariants(session, choice!);
		if (meshes.length === 0 && prims.some(isJoint)) makeBaselines(session, prims.filter(isCollider));
	},
};

function choose(session: FixSession, mesh: Prim): Choice | undefined {
	const owner = ownerOf(mesh);
	const present = readText(mesh, ATTRIBUTE) ?? 'none';
	const baseline = simpleForm(mesh, present) ?? session.parameters.approximation;
	if (baseline !== undefined && (baseline === present || SIMPLE_APPROXIMATIONS.has(baseline)))
		return { mesh: mesh.path, owner: owner.path, baseline };
	session.ask(RULE, 'approximation convexHull', `the collider is a concave mesh ('${present}')`, { prim: mesh });
	return undefined;
}

/** How a collider collides, when that is simple enough for a default. */
function simpleForm(mesh: Prim, approximation: string): string | undefined {
	if (SIMPLE_APPROXIMATIONS.has(approximation)) return approximation;
	return approximation === 'none' && isConvex(mesh) ? approximation : undefined;
}

function isConvex(mesh: Prim): boolean {
	const arrays = readMeshArrays(mesh);
	if (arrays === undefined) return false;
	const facts = new MeshFacts(arrays);
	return facts.triangles.mesh.indices.length / 3 <= THRESHOLDS.geometryTriangles && facts.isConvex;
}

/** The scope of a link's colliders, or the link, or the prim above. */
function ownerOf(mesh: Prim): Prim {
	const body = bodyOf(mesh);
	let below = mesh;
	for (let at = mesh.parent; at !== undefined && at.path !== body?.path; at = at.parent) {
		if (at.isPseudoRoot) return mesh.parent?.isPseudoRoot === false ? mesh.parent : mesh;
		below = at;
	}
	return below.path === mesh.path ? (body ?? mesh) : below;
}

function makeVariants(session: FixSession, { mesh, owner, baseline }: Choice): void {
	const prim = session.stage.prim(mesh)!;
	const site = propertySite(session, prim, ATTRIBUTE) ?? schemaSite(session, prim, 'PhysicsCollisionAPI');
	const at = site === undefined ? undefined : placeOf(site, owner);
	if (site === undefined || at === undefined) {
		session.refuse(RULE, `no layer that may be edited says how it collides and has <${owner}>`, { prim });
		return;
	}
	applySchema(session, RULE, prim, 'PhysicsMeshCollisionAPI', schemaSite(session, prim, 'PhysicsCollisionAPI'));
	removeProperty(session, RULE, session.stage.prim(mesh)!, ATTRIBUTE);
	const rest = site.path.stripVariants();
	session.edit(RULE, site.layer, (layer) => {
		for (const [variant, token] of [
			['baseline', baseline],
			['detailed', 'none'],
		] as const) {
			const inside = at.appendVariant(SET, variant);
			if (!layer.has(inside)) layer.createVariant(inside);
			const path = rest.replacePrefix(at, inside);
			if (!layer.has(path)) layer.createPrim(path);
			const property = path.appendProperty(ATTRIBUTE);
			layer.createAttribute(property, 'token', { variability: 'uniform' });
			layer.setField(property, 'default', makeValue(T.token, token) as Value);
		}
		listVariantSet(layer, at, SET);
		selectVariant(layer, at, SET, 'baseline');
	});
}

/** Colliders that are simple already are the baseline; there is nothing to put into another variant yet. */
function makeBaselines(session: FixSession, colliders: readonly Prim[]): void {
	const owners = new Set<Path>();
	for (const collider of colliders) {
		const owner = ownerOf(collider).path;
		const site = schemaSite(session, collider, 'PhysicsCollisionAPI');
		const at = site === undefined ? undefined : placeOf(site, owner);
		if (site === undefined || at === undefined) {
			session.refuse(RULE, `no layer that may be edited says that it collides and has <${owner}>`, { prim: collider });
			continue;
		}
		if (owners.has(owner)) continue;
		owners.add(owner);
		session.edit(RULE, site.layer, (layer) => {
			layer.createVariant(at.appendVariant(SET, 'baseline'));
			listVariantSet(layer, at, SET);
			selectVariant(layer, at, SET, 'baseline');
		});
	}
}

/** A prim of the stage as a layer names it, outside of variants. */
function placeOf({ node, path }: SpecSite, prim: Path): Path | undefined {
	const at = path.stripVariants() === path ? translateToNode(node.mapToRoot, prim) : undefined;
	return at !== undefined && path.hasPrefix(at) && path !== at ? at : undefined;
}

/** Simple defaults in the variants that are there. */
function simplify(session: FixSession, prims: readonly Prim[]): void {
	const { approximation } = session.parameters;
	for (const owner of prims.filter((prim) => prim.variantSets().includes(SET))) {
		for (const mesh of prims) {
			if (!mesh.path.hasPrefix(owner.path) || mesh.typeName !== 'Mesh' || !isCollider(mesh)) continue;
			const present = readText(mesh, ATTRIBUTE) ?? 'none';
			if (simpleForm(mesh, present) !== undefined) continue;
			if (approximation === undefined || !SIMPLE_APPROXIMATIONS.has(approximation)) {
				const message = `the collider is '${present}' in the default variant of '${SET}'`;
				session.ask('R1.3.1.4', 'approximation convexHull', message, { prim: mesh });
				continue;
			}
			const site = propertySite(session, mesh, ATTRIBUTE) ?? schemaSite(session, mesh, 'PhysicsCollisionAPI');
			if (site === undefined) continue;
			applySchema(session, 'R1.3.1.4', mesh, 'PhysicsMeshCollisionAPI', site);
			const path = site.path.appendProperty(ATTRIBUTE);
			session.edit('R1.3.1.4', site.layer, (layer) => {
				if (!layer.has(path)) layer.createAttribute(path, 'token', { variability: 'uniform' });
				if (dataOf(layer.field(path, 'default'), T.token) !== approximation)
					layer.setField(path, 'default', makeValue(T.token, approximation) as Value);
			});
		}
	}
}
