import { quote } from '@manyworlds/core';
import type { Node, Prim } from '@manyworlds/usd';
import { ArcType } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

const common = { section: '1.2.2', level: 'must', check: 'static' } as const;

/** REP 1.2.2: the model hierarchy. */
export const SECTION_1_2_2: readonly Statement[] = [
	{ id: 'R1.2.2.1', ...common, visit: checkComponent },
	{ id: 'R1.2.2.2', ...common, visit: checkAggregate },
	{ id: 'R1.2.2.3', ...common, level: 'should', visit: checkSubcomponents },
	{ id: 'R1.2.2.4', ...common, visit: checkHierarchy },
];

const GROUPS: ReadonlySet<string> = new Set(['group', 'assembly']);
const MODELS: ReadonlySet<string> = new Set(['model', 'component', 'group', 'assembly']);
const KINDS: ReadonlySet<string> = new Set([...MODELS, 'subcomponent']);

/** What the kinds below a root prim say. */
interface Models {
	readonly root: Prim;
	/** Prims below the root that are models by their kind. */
	readonly models: readonly Prim[];
	/** Models that come from other assets. */
	readonly referenced: readonly Prim[];
}

function findModels(context: CheckContext): Models | undefined {
	const root = context.stage.defaultPrim;
	if (root === undefined) return undefined;
	const models = context.subtree(root).filter((prim) => prim.path !== root.path && MODELS.has(prim.kind ?? ''));
	return { root, models, referenced: models.filter((prim) => comesByArc(context, prim)) };
}

/** Whether the kind of a prim was authored in another asset, at the prim that an arc brings. */
function comesByArc(context: CheckContext, prim: Prim): boolean {
	for (let at: Node | null = context.atField(prim, 'kind').node ?? null; at !== null; at = at.parent) {
		const isArc = at.arcType === ArcType.reference || at.arcType === ArcType.payload;
		if (isArc && !at.isDueToAncestor) return true;
	}
	return false;
}

function checkComponent(context: CheckContext, report: Reporter): void {
	const found = findModels(context);
	if (found === undefined || found.models.length > 0) return;
	const { root } = found;
	const { kind } = root;
	if (kind === 'component') return;
	const place = context.atField(root, 'kind');
	if (kind === undefined || kind === '') report.add(place, "the default prim has no kind, expected 'component'");
	else if (GROUPS.has(kind)) {
		const message = `the default prim has kind ${quote(kind)} and contains no component, expected 'component'`;
		report.add(place, message, { severity: 'warning' });
	} else if (KINDS.has(kind)) report.add(place, `the default prim has kind ${quote(kind)}, expected 'component'`);
}

function checkAggregate(context: CheckContext, report: Reporter): void {
	const found = findModels(context);
	if (found === undefined || found.models.length === 0) return;
	const { root, models, referenced } = found;
	const { kind } = root;
	if (kind !== undefined && GROUPS.has(kind)) return;
	// a component with a component of its own has the fault further down
	if (kind === 'component' && referenced.length === 0) return;
	const [first] = (referenced.length > 0 ? referenced : models) as [Prim];
	const is = kind === undefined || kind === '' ? 'no kind' : `kind ${quote(kind)}`;
	const message = `the default prim has ${is} and contains the ${first.kind} ${quote(first.name)}, expected 'assembly' or 'group'`;
	report.add(context.atField(root, 'kind'), message);
}

function checkSubcomponents(context: CheckContext, report: Reporter): void {
	const unmarked: Prim[] = [];
	for (const prim of context.lists.all) {
		if (prim.kind !== 'component') continue;
		for (const below of context.subtree(prim)) {
			if (below.path === prim.path) continue;
			const { kind } = below;
			if (kind !== undefined && MODELS.has(kind)) {
				// a component that references others is no component: that is told at its root
				if (comesByArc(context, below) && prim.path === context.stage.defaultPrim?.path) continue;
				const message = `the prim has kind ${quote(kind)} inside the component <${prim.path}>, expected 'subcomponent'`;
				report.add(context.atField(below, 'kind'), message);
			} else if (kind === undefined && isOrganisational(context, below)) unmarked.push(below);
		}
	}
	const [first] = unmarked;
	if (first === undefined) return;
	const others = unmarked.length > 1 ? ` (and ${unmarked.length - 1} more)` : '';
	const message = `${quote(first.name)}${others} only groups other prims, expected kind 'subcomponent'`;
	report.add(context.at(first), message, { severity: 'info', key: 'organisational' });
}

/** An Xform that groups links: neither a link nor geometry nor an interface itself (C26). */
function isOrganisational(context: CheckContext, prim: Prim): boolean {
	if (prim.typeName !== 'Xform' || prim.appliedSchemas.length > 0) return false;
	return prim.children().some((child) => child.hasSchema('PhysicsRigidBodyAPI')) && context.bodyOf(prim) === undefined;
}

function checkHierarchy(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		const { kind } = prim;
		if (kind === undefined || kind === '') continue;
		if (!KINDS.has(kind)) {
			const message = `kind ${quote(kind)} is not registered, expected one of ${[...KINDS].join(', ')}`;
			report.add(context.atField(prim, 'kind'), message);
		} else if (MODELS.has(kind)) checkParent(context, report, prim, kind);
	}
}

function checkParent(context: CheckContext, report: Reporter, prim: Prim, kind: string): void {
	const { parent } = prim;
	if (parent === undefined || parent.isPseudoRoot || GROUPS.has(parent.kind ?? '')) return;
	// models below a component are told there
	for (let at: Prim | undefined = parent; at !== undefined; at = at.parent) if (at.kind === 'component') return;
	// a root without kind is told at the root
	if (parent.path === context.stage.defaultPrim?.path) return;
	const has = parent.kind === undefined ? 'no kind' : `kind ${quote(parent.kind)}`;
	const message = `the ${kind} ${quote(prim.name)} is below ${quote(parent.name)}, which has ${has}, expected 'group' or 'assembly' there`;
	report.add(context.atField(parent, 'kind'), message);
}
