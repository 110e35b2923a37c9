import { type Path, type Prim, type PrimMove, selectVariant, T } from '@manyworlds/usd';
import { computePurpose, dataOf, freeChild, listVariantSet, type SpecSite } from '@manyworlds/usd/internal';
import { bodyOf, hasSchema, isBody, isCollider, isJoint } from '../../asset/read-values.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { movePrims } from '../prims/move-prims.ts';

const SET = 'visual_representation';
const DEFAULT = 'mesh_medium';
const REPRESENTATIONS: readonly string[] = [DEFAULT, 'mesh_high', 'mesh_low', 'volumetric_splat'];

/** F27: what links show in their scopes `visual`, with variants of it, and what they collide with in their scopes `collision`. */
export const SCOPES: Fixer = {
	family: 'F27',
	title: 'scopes for what links show and collide with',
	rules: ['R1.3.2.1', 'R1.3.2.2', 'R1.3.2.3'],
	safety: 'unsafe',
	apply(session) {
		if (session.wants('R1.3.2.1')) fillScopes(session);
		for (const path of visualScopes(session)) {
			if (session.wants('R1.3.2.2')) makeVariants(session, session.stage.prim(path)!);
			if (session.wants('R1.3.2.3')) selectDefault(session, session.stage.prim(path)!);
		}
	},
};

type ScopeName = 'visual' | 'collision';

/** The child of a link that holds its geometry of a kind; both numbers of the word are common. */
function scopeOf(body: Prim, name: ScopeName): Prim | undefined {
	return body.children().find((child) => child.name === name || child.name === `${name}s`);
}

function visualScopes(session: FixSession): Path[] {
	return [...session.stage.traverse()].filter(isBody).flatMap((body) => {
		const scope = scopeOf(body, 'visual');
		return scope === undefined ? [] : [scope.path];
	});
}

function fillScopes(session: FixSession): void {
	const wishes: PrimMove[] = [];
	const taken = new Set<Path>();
	const seen = new Set<Path>();
	const geometry = [...session.stage.traverse()].filter((prim) => prim.isA('Gprim'));
	for (const shape of geometry) {
		const body = bodyOf(shape);
		const kind = kindOf(shape);
		if (body === undefined || kind === undefined) continue;
		const scope = scopeOf(body, kind);
		if (scope !== undefined && shape.path.hasPrefix(scope.path)) continue;
		if (shape === body) {
			const message = `the link is a ${shape.typeName} itself, so there is nothing to put into a scope; make it an Xform with the shape below it`;
			session.refuse('R1.3.2.1', message, { prim: body });
			continue;
		}
		const top = topOfKind(shape, body, kind);
		if (seen.has(top.path)) continue;
		seen.add(top.path);
		const reason = obstacle(top, body, scope, kind);
		if (reason !== undefined) {
			session.refuse('R1.3.2.1', `it cannot move to the scope '${kind}': ${reason}`, { prim: top });
			continue;
		}
		const parent = scope?.path ?? body.path.appendChild(kind);
		wishes.push({ from: top.path, to: freeChild(session.stage, parent, top.name, taken), parentType: 'Scope' });
	}
	for (const [path, reason] of movePrims(session, 'R1.3.2.1', wishes)) {
		session.refuse('R1.3.2.1', `it cannot move to the scope of its link: ${reason}`, { prim: path });
	}
}

/** Which scope a shape belongs to; guides that do not collide belong to none. */
function kindOf(shape: Prim): ScopeName | undefined {
	if (isCollider(shape)) return 'collision';
	return computePurpose(shape) === 'guide' ? undefined : 'visual';
}

/** The highest prim below a body that holds nothing but shapes of one kind. */
function topOfKind(shape: Prim, body: Prim, kind: ScopeName): Prim {
	let top = shape;
	for (let at = shape.parent; at !== undefined && at.path !== body.path; at = at.parent) {
		if (!holdsOnly(at, kind) || (at.parent?.path === body.path && isScopeName(at))) break;
		top = at;
	}
	return top;
}

function isScopeName({ name }: Prim): boolean {
	return /^(?:visual|collision)s?$/.test(name);
}

function holdsOnly(root: Prim, kind: ScopeName): boolean {
	const stack = [root];
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		if (isLogical(prim) || (prim.isA('Gprim') && kindOf(prim) !== kind)) return false;
		stack.push(...prim.children());
	}
	return true;
}

/** Whether a prim is more than geometry: it moves, looks, shines or talks. */
function isLogical(prim: Prim): boolean {
	return (
		isJoint(prim) ||
		hasSchema(prim, 'PhysicsRigidBodyAPI') ||
		prim.typeName === 'Camera' ||
		prim.hasSchema('LightAPI') ||
		(prim.authoredSchemas ?? []).some((schema) => /^Ros[A-Z]/.test(schema))
	);
}

/** Opinions of a prim that those below it inherit. */
const INHERITED: readonly string[] = ['purpose', 'visibility', 'xformOpOrder'];

function passesOn(prim: Prim): string | undefined {
	const names = prim.authoredPropertyNames();
	return names.find((name) => INHERITED.includes(name) || name.startsWith('primvars:') || name.startsWith('material:'));
}

function obstacle(top: Prim, body: Prim, scope: Prim | undefined, kind: ScopeName): string | undefined {
	for (let at = top.parent; at !== undefined && at.path !== body.path; at = at.parent) {
		const name = passesOn(at);
		if (name !== undefined) return `it inherits ${name} of <${at.path}>`;
		if (at.isInstanceProxy || at.isInstance) return `<${at.path}> is an instance`;
	}
	if (scope === undefined) return undefined;
	if (scope.isA('Gprim')) return `<${scope.path}> is a shape`;
	const given = passesOn(scope);
	const isHarmless = given === undefined || (kind === 'collision' && given === 'purpose');
	return isHarmless ? undefined : `<${scope.path}> would pass ${given} on to it`;
}

/** Makes what a visual scope holds the default of its variants. */
function makeVariants(session: FixSession, scope: Prim): void {
	if (scope.variantSets().includes(SET)) return;
	const site = contentSite(session, scope);
	if (typeof site === 'string') {
		session.refuse('R1.3.2.2', `no variant set '${SET}' can be made: ${site}`, { prim: scope });
		return;
	}
	const { layer, path } = site;
	const names = dataOf(layer.field(path, 'primChildren'), T.tokenVector) ?? [];
	session.edit('R1.3.2.2', layer, () => {
		layer.createVariant(path.appendVariant(SET, DEFAULT));
		listVariantSet(layer, path, SET);
		selectVariant(layer, path, SET, DEFAULT);
	});
	for (const name of names) {
		session.moveSpec('R1.3.2.2', layer, path.appendChild(name), path.appendVariant(SET, DEFAULT).appendChild(name));
	}
}

/** The spec that defines what a scope holds, when its content can go into a variant there without reading otherwise. */
function contentSite(session: FixSession, scope: Prim): SpecSite | string {
	const sites = scope.specs().filter(({ layer }) => layer !== session.stage.sessionLayer);
	const defining = sites.filter(({ layer, path }) =>
		(dataOf(layer.field(path, 'primChildren'), T.tokenVector) ?? []).some(
			(name) => layer.field(path.appendChild(name), 'specifier')?.data !== 'over',
		),
	);
	const [site] = defining.length === 0 ? sites : defining;
	if (site === undefined) return 'no layer has opinions about it';
	if (defining.length > 1) return `${defining.length} layers define what it holds`;
	if (!session.isEditable(site.layer)) return `${site.layer.identifier} cannot be changed from here`;
	if (site.path.stripVariants() !== site.path) return 'a variant has its content';
	const stack = [...scope.children()];
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		const fault = weakened(prim, site);
		if (fault !== undefined) return fault;
		stack.push(...prim.children());
	}
	return site;
}

/** An opinion that a weaker layer of the same stack would win over once the stronger one lies in a variant. */
function weakened(prim: Prim, { layer, node }: SpecSite): string | undefined {
	const sites = prim.specs();
	const own = sites.findIndex((site) => site.layer === layer);
	if (own < 0) return undefined;
	const names = (site: SpecSite): string[] => [
		...(dataOf(site.layer.field(site.path, 'properties'), T.tokenVector) ?? []),
		...site.layer.fieldNames(site.path).filter((field) => !STRUCTURE.has(field)),
	];
	const said = new Set(names(sites[own]!));
	for (const site of sites.slice(own + 1)) {
		if (site.node.layerStack !== node.layerStack) continue;
		const twice = names(site).find((name) => said.has(name));
		if (twice !== undefined) return `${site.layer.identifier} would win over ${twice} of <${prim.path}>`;
	}
	return undefined;
}

const STRUCTURE: ReadonlySet<string> = new Set([
	'specifier',
	'typeName',
	'apiSchemas',
	'properties',
	'primChildren',
	'variantSetChildren',
]);

/** The default among the representations that a scope has. */
function selectDefault(session: FixSession, scope: Prim): void {
	if (!scope.variantSets().includes(SET)) return;
	for (const name of scope.variants(SET)) {
		if (REPRESENTATIONS.includes(name)) continue;
		const message = `which of ${REPRESENTATIONS.join(', ')} the variant '${name}' is meant to be is not told; rename it`;
		session.refuse('R1.3.2.3', message, { prim: scope });
	}
	const selection = scope.authoredSelections().get(SET);
	if (selection === undefined || selection === DEFAULT) return;
	if (!scope.variants(SET).includes(DEFAULT)) {
		const shown = scope.variants(SET).join(', ');
		session.refuse(
			'R1.3.2.3',
			`it has no variant '${DEFAULT}' (${shown}), and which one is meant by that is not told`,
			{
				prim: scope,
			},
		);
		return;
	}
	for (const { layer, path } of scope.specs()) {
		const present = dataOf(layer.field(path, 'variantSelection'), T.variantSelectionMap);
		if (present?.get(SET) === undefined || !session.isEditable(layer)) continue;
		session.edit('R1.3.2.3', layer, () => selectVariant(layer, path, SET, DEFAULT));
		return;
	}
}
