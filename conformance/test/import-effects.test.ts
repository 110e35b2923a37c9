/**
 * What each attribute of an asset does: the assets of `data/import-effects` have all that the importers read, and their models, findings and ledgers
 * are recorded in `golden/import-effects-*.txt`, as they are and with single attributes left out, malformed or negative. The answers were
 * recorded from the importers: read the difference before you commit it.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
	type ImportAssetOptions,
	importAsset,
	type Ledger,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
} from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import { MODEL_ARRAY_NAMES } from '@manyworlds/model/internal';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { readBytes } from '../src/files.ts';
import { flattenValues } from '../src/flatten-values.ts';
import { GoldenSections } from '../src/golden-sections.ts';

const dir = resolve(import.meta.dirname, '../data/import-effects');
const files: ReadonlyMap<string, Uint8Array> = new Map(
	readdirSync(dir).map((name) => [name, readBytes(join(dir, name))]),
);

type Options = Omit<ImportAssetOptions, 'store'>;

const RESOLVERS = [SCHEMA_RESOLVER_MJC, SCHEMA_RESOLVER_NEWTON, SCHEMA_RESOLVER_PHYSX];
const SHARED: Readonly<Record<string, Options>> = {
	newtonCompat: { newtonCompat: true },
	moved: { xform: [1, 2, 3, 0, 0, 0.6, 0.8] },
	floating: { floating: true },
	fixed: { floating: false },
	collides: { enableSelfCollisions: true },
	apart: { enableSelfCollisions: false },
	collapsed: { collapseFixedJoints: true },
	parts: { filterJoinedParts: false },
	base: { baseJoint: { type: 'planar' } as never },
};
const OPTIONS: Readonly<Record<string, Readonly<Record<string, Options>>>> = {
	mjcf: {
		...SHARED,
		scaled: { mjcf: { scale: 2.5, armatureScale: 3 } },
		hidden: { mjcf: { hideVisuals: true, forceShowColliders: true } },
		visualColliders: { mjcf: { parseVisualsAsColliders: true } },
		noMeshes: { mjcf: { parseMeshes: false } },
		noSites: { mjcf: { parseSites: false, parseVisuals: false, parseMujocoOptions: false } },
		upY: { mjcf: { upAxis: 'y' } },
		ignored: { mjcf: { ignoreNames: ['b.*'], ignoreClasses: ['visual'] } },
		classes: { mjcf: { visualClasses: ['seen'], colliderClasses: ['felt'], noClassAsColliders: false } },
		noInertia: { mjcf: { ignoreInertialDefinitions: true } },
		merged: { mjcf: { collapseFixedJoints: true, collapseMasslessFixedRoot: true } },
		noEqualities: { mjcf: { skipEqualityConstraints: true } },
		converted: { mjcf: { convertMjcEqualityConstraints: true } },
		direct: { mjcf: { ctrlDirect: true } },
		legacy: { mjcf: { legacyMarginGap: true, overrideRootXform: true, xform: [1, 2, 3, 0, 0, 0, 1] } },
		keyed: { mjcf: { keyframe: 0 } },
		noGravity: { mjcf: { importGravity: false } },
		hulls: { meshColliders: 'hull' as never },
	},
	urdf: {
		...SHARED,
		scaled: { urdf: { scale: 2.5, meshScale: [1, 2, 3] } },
		hidden: { urdf: { hideVisuals: true, forceShowColliders: true } },
		noVisuals: { urdf: { parseVisuals: false } },
		visualColliders: { urdf: { parseVisualsAsColliders: true } },
		upY: { urdf: { upAxis: 'y' } },
		noInertia: { urdf: { ignoreInertialDefinitions: true } },
		breadth: { urdf: { jointOrdering: 'bfs', bodiesFollowJointOrdering: false } },
		file: { urdf: { jointOrdering: 'file', bodiesFollowJointOrdering: true } },
		merged: { urdf: { collapseFixedJoints: true, collapseMasslessFixedRoot: true } },
		forced: { urdf: { forcePositionVelocityActuation: true } },
	},
	usd: {
		...SHARED,
		solvers: { usd: { schemaResolvers: RESOLVERS } },
		reversed: { usd: { schemaResolvers: RESOLVERS.toReversed() } },
		compatSolvers: { newtonCompat: true, usd: { schemaResolvers: RESOLVERS } },
		disabled: { usd: { onlyLoadEnabledRigidBodies: true, onlyLoadEnabledJoints: false } },
		gains: { usd: { jointDriveGainsScaling: 3, forcePositionVelocityActuation: true } },
		ignored: { usd: { ignorePaths: ['.*arm.*'] } },
		breadth: { usd: { jointOrdering: 'bfs', bodiesFollowJointOrdering: false } },
		stage: { usd: { jointOrdering: 'stage' } },
		noHulls: { usd: { skipMeshApproximation: true } },
		noSites: { usd: { loadSites: false, loadVisualShapes: false } },
		noVisuals: { usd: { loadStaticVisualShapes: false, hideCollisionShapes: true, forceShowColliders: true } },
		converted: { usd: { convertMjcEqualityConstraints: true, schemaResolvers: RESOLVERS } },
		noOptions: { usd: { parseMujocoOptions: false, schemaResolvers: RESOLVERS, legacyMarginGap: true } },
		units: { usd: { convertUnits: false, applyUpAxisFromStage: true } },
		root: { usd: { rootPath: '/Robot/arm' } },
	},
};

/** All that an import gives, by name. */
function importText(
	name: string,
	text: Uint8Array,
	options: Options,
): { readonly found: Map<string, string>; readonly ledger: Ledger } {
	const store = new MemoryStore(new Map([...files, [name, text] as const]));
	const builder = new ModelBuilder();
	const { result, ledger, report } = importAsset(name, builder, { store, ...options });
	const { report: _, ledger: __, ...facts } = { report: undefined, ledger: undefined, ...result };
	const found = flattenValues(facts, 'result');
	try {
		const model = builder.finalize({ newtonCompat: options.newtonCompat === true });
		flattenValues(model, '', found);
		for (const owner of ['model', 'state', 'control', 'contacts'] as const) {
			for (const { declaration, values } of model.attributesOf(owner).entries())
				flattenValues(values, `${declaration.namespace}:${declaration.name}`, found);
		}
	} catch (error) {
		found.set('finalize', (error as { code?: string }).code ?? 'fails');
	}
	for (const { path, name: attribute, class: fate, targets, resolver, from, to } of ledger.entries())
		found.set(
			`ledger ${path} ${attribute}`,
			[fate, ...targets, resolver, from, to].filter((part) => part !== undefined).join(' '),
		);
	for (const { code, severity, range, prim } of report.toArray()) {
		const finding = `${severity} ${code} ${range?.start.line ?? ''} ${prim ?? ''}`.trim();
		found.set(finding, String(Number(found.get(finding) ?? 0) + 1));
	}
	return { found, ledger };
}

/** Where the values of a model came from, by array and row. */
function sourcesOf(ledger: Ledger): string[] {
	const found: string[] = [];
	for (const array of MODEL_ARRAY_NAMES) {
		for (let i = 0; i < 40; i++) {
			const given = ledger.explain(array, i).map(({ why: _, ...rest }) => Object.values(rest).join(' '));
			if (given.length > 0) found.push(`given ${array} ${i}: ${given.join('; ')}`);
		}
	}
	return found;
}

/** Values of one array on one line. */
function listed(all: ReadonlyMap<string, string>): string[] {
	const lines = new Map<string, string[]>();
	for (const [name, value] of all) {
		const array = name.replace(/\[\d+\]$/, '');
		lines.set(array, [...(lines.get(array) ?? []), value]);
	}
	return Array.from(lines, ([name, values]) => `${name}: ${values.join(' ')}`);
}

/** What is other than in another import, on one line; of many differences a few and a sum of all. */
function difference(base: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string {
	const found: string[] = [];
	for (const [name, value] of other)
		if (base.get(name) !== value) found.push(`${name} ${base.get(name) ?? ''}→${value}`);
	for (const [name, value] of base) if (!other.has(name)) found.push(`${name} ${value}→`);
	if (found.length <= 5) return found.join(', ') || 'nothing';
	const shown = [...found.slice(0, 3), ...found.filter((text) => /^(?:error|warning|info) /.test(text)).slice(0, 2)];
	return `${[...new Set(shown)].join(', ')} and more: ${found.length} (${hash(found.join()).toString(36)})`;
}

function hash(text: string): number {
	let sum = 7;
	for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0;
	return sum;
}

/** A value with every number made negative. */
function negative(value: string): string {
	return value.replaceAll(/(?<![\w.:/])-?\d+(?:\.\d+)?(?:e-?\d+)?/g, (number) => String(-Number(number) - 1));
}

/** Neighbours of a text: its attributes left out, malformed or negative. */
function* neighbours(name: string, text: string): Generator<readonly [what: string, text: string]> {
	const pattern = name.endsWith('.usda')
		? /^\t*(?:[\w[\]]+ )+([\w:.]+) = ([^{}()[\n]+|\([^()]*\)|\[[^\]\n]*\])$/gm
		: / ([\w:]+)="([^"]*)"/g;
	for (const match of text.matchAll(pattern)) {
		const [whole, attribute, value] = match as unknown as [string, string, string];
		const before = text.slice(0, match.index).split('\n');
		const place = `${before.length}:${before.at(-1)!.length}`;
		const ways: [string, string][] = [['without', '']];
		const other = negative(value);
		if (other !== value) ways.push(['negative', whole.replace(value, other)]);
		if (!name.endsWith('.usda')) ways.push(['malformed', whole.replace(`"${value}"`, '"?"')]);
		// one way each, for every second attribute of XML and every third of a stage
		const way = ways[hash(`${name}${match.index}`) % ((name.endsWith('.usda') ? 3 : 2) * ways.length)];
		if (way === undefined) continue;
		yield [
			`${place} ${attribute} ${value} ${way[0]}`,
			text.slice(0, match.index) + way[1] + text.slice(match.index + whole.length),
		];
	}
}

for (const name of [...files.keys()].filter((file) => /^(?:mjcf|urdf|usd)-/.test(file))) {
	const format = name.slice(0, name.indexOf('-'));
	const text = new TextDecoder().decode(files.get(name));
	const golden = new GoldenSections(
		join(import.meta.dirname, `../golden/import-effects-${name.replace(/\.\w+$/, '')}.txt`),
	);
	const own: Options = name.includes('solvers') ? { usd: { schemaResolvers: RESOLVERS } } : {};
	const bytes = new TextEncoder();
	const base = importText(name, files.get(name)!, own).found;

	describe(name, () => {
		it('as it is', () => {
			const { found, ledger } = importText(name, files.get(name)!, own);
			const lines = [...listed(found), ...sourcesOf(ledger)];
			expect(lines.join('\n').trimEnd()).toBe(golden.answer('as it is', lines).trimEnd());
		});
		it.each(Object.keys(OPTIONS[format]!))('with %s', (option) => {
			let found: string;
			try {
				found = difference(base, importText(name, files.get(name)!, { ...own, ...OPTIONS[format]![option] }).found);
			} catch (error) {
				found = `throws ${(error as { code?: string }).code ?? (error as Error).name}`;
			}
			expect(found).toBe(golden.answer(`with ${option}`, [found]));
		});
		it.each([...neighbours(name, text)])('%s', (what, changed) => {
			const found = difference(base, importText(name, bytes.encode(changed), own).found);
			expect(found).toBe(golden.answer(what, [found]));
		});
	});
}
