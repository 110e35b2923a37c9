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
	type NewtonFault,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
} from '@manyworlds/import';
import { ModelBuilder, type ModelBuilderOptions, registerMujocoAttributes } from '@manyworlds/model';
import { MODEL_ARRAY_NAMES } from '@manyworlds/model/internal';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { readBytes } from '../src/files.ts';
import { type FlatValue, flattenValues, showFlatValue } from '../src/flatten-values.ts';
import { GoldenSections } from '../src/golden-sections.ts';

const dir = resolve(import.meta.dirname, '../data/import-effects');
const files: ReadonlyMap<string, Uint8Array> = new Map(
	readdirSync(dir).map((name) => [name, readBytes(join(dir, name))]),
);

type Options = Omit<ImportAssetOptions, 'store'> & {
	/** What the builder has instead of its defaults. */
	readonly builder?: ModelBuilderOptions;
	/** What is in the builder already: nothing, the same asset, a body that the asset hangs on, or attributes of MuJoCo. */
	readonly before?: 'asset' | 'carrier' | 'mujoco';
};

const RESOLVERS = [SCHEMA_RESOLVER_MJC, SCHEMA_RESOLVER_NEWTON, SCHEMA_RESOLVER_PHYSX];
const FAULTS: readonly NewtonFault[] = [
	...(['collision-groups', 'joint-velocity', 'drive-scaling', 'd6-lock', 'd6-unlimited', 'd6-linear-state'] as const),
	...(['orphan-frame', 'mimic-offset', 'visual-plane', 'visual-mirror', 'hidden-body-frame', 'ball-offset'] as const),
	...(['world-label', 'disabled-filter'] as const),
];
/** A builder whose every default is another number. */
const OTHER_DEFAULTS: ModelBuilderOptions = {
	upAxis: 'y',
	gravity: [0.5, -8, 0.25],
	rigidGap: 0.013,
	defaultShapeConfig: {
		density: 700,
		ke: 3100,
		kd: 210,
		kf: 1100,
		ka: 0.003,
		mu: 0.35,
		restitution: 0.15,
		muTorsional: 0.045,
		muRolling: 0.0055,
		margin: 0.0065,
		gap: 0.0075,
		kh: 2.5e9,
		isHydroelastic: true,
		collisionGroup: 3,
	},
	defaultJointConfig: {
		limitLower: -7,
		limitUpper: 9,
		limitKe: 450,
		limitKd: 5.5,
		targetKe: 65,
		targetKd: 7.5,
		damping: 0.85,
		armature: 0.095,
		friction: 0.105,
		effortLimit: 115,
		velocityLimit: 12.5,
	},
};
const SHARED: Readonly<Record<string, Options>> = {
	newtonCompat: { newtonCompat: true },
	again: { before: 'asset' },
	compatAgain: { before: 'asset', newtonCompat: true, xform: [3, 2, 1, 0.6, 0, 0, 0.8] },
	carried: { before: 'carrier', parentBody: 1 },
	compatCarried: { before: 'carrier', parentBody: 1, newtonCompat: true, xform: [3, 2, 1, 0.6, 0, 0, 0.8] },
	otherDefaults: { builder: OTHER_DEFAULTS },
	compatOtherDefaults: { builder: OTHER_DEFAULTS, newtonCompat: true },
	moved: { xform: [1, 2, 3, 0, 0, 0.6, 0.8] },
	floating: { floating: true },
	fixed: { floating: false },
	collides: { enableSelfCollisions: true },
	apart: { enableSelfCollisions: false },
	collapsed: { collapseFixedJoints: true },
	parts: { filterJoinedParts: false },
	base: { baseJoint: { type: 'prismatic', axis: [0, 0.6, 0.8] } as never },
	movedBase: { baseJoint: { type: 'revolute', axis: [1, 0, 0] } as never, xform: [1, 2, 3, 0, 0.6, 0, 0.8] },
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
		placed: { floating: true, mjcf: { overrideRootXform: true, xform: [1, 2, 3, 0, 0.6, 0, 0.8], scale: 2 } },
		placedBase: {
			baseJoint: { type: 'revolute', axis: [1, 0, 0] } as never,
			mjcf: { overrideRootXform: true, xform: [1, 2, 3, 0, 0.6, 0, 0.8] },
		},
		ballOfHinges: { mjcf: { convert3dHingeToBallJoints: true } },
		ownClasses: { mjcf: { ignoreClasses: ['seen', /fe/], ignoreNames: [/f1/, 'world_site'] } },
		compatScaled: { newtonCompat: true, mjcf: { scale: 2.5, armatureScale: 3, upAxis: 'y', keyframe: 0 } },
		compatClasses: { newtonCompat: true, mjcf: { parseVisualsAsColliders: true, collapseMasslessFixedRoot: true } },
		compatMerged: { newtonCompat: true, mjcf: { collapseFixedJoints: true, ignoreInertialDefinitions: true } },
		compatDirect: {
			newtonCompat: true,
			mjcf: { ctrlDirect: true, convertMjcEqualityConstraints: true, parseVisuals: false },
		},
		scaledKey: { mjcf: { scale: 2.5, keyframe: 'home', xform: [1, 2, 3, 0.6, 0, 0, 0.8] } },
		triangles: { meshColliders: 'triangles' as never },
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
		placed: { floating: true, urdf: { overrideRootXform: true, xform: [1, 2, 3, 0, 0.6, 0, 0.8], scale: 2 } },
		compatScaled: { newtonCompat: true, urdf: { scale: 2.5, meshScale: [1, 2, 3], upAxis: 'y' } },
		compatFile: { newtonCompat: true, urdf: { jointOrdering: 'file', bodiesFollowJointOrdering: false } },
		compatMerged: { newtonCompat: true, urdf: { collapseFixedJoints: true, ignoreInertialDefinitions: true } },
		triangles: { meshColliders: 'triangles' as never },
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
		faults: {
			newtonCompat: true,
			usd: { reproduceFaults: FAULTS, jointDriveGainsScaling: 3, schemaResolvers: RESOLVERS },
		},
		onlyFaults: { usd: { reproduceFaults: FAULTS, jointDriveGainsScaling: 3 }, xform: [1, 2, 3, 0, 0, 0.6, 0.8] },
		quiet: { newtonCompat: true, usd: { loadVisualShapes: false } },
		quietFaults: { usd: { loadVisualShapes: false, reproduceFaults: FAULTS } },
		quietCompatFaults: { newtonCompat: true, usd: { loadVisualShapes: false, reproduceFaults: FAULTS } },
		kept: { usd: { convertMjcEqualityConstraints: false, schemaResolvers: RESOLVERS } },
		carriedFree: {
			before: 'carrier',
			parentBody: 1,
			baseJoint: { type: 'free' } as never,
			xform: [3, 2, 1, 0.6, 0, 0, 0.8],
		},
		lostBodies: { usd: { onlyLoadEnabledRigidBodies: true, reproduceFaults: ['hidden-body-frame'] } },
		forgotten: {
			usd: {
				onlyLoadEnabledRigidBodies: true,
				jointOrdering: 'stage',
				ignorePaths: ['/Pair', /\/Robot\/sh/, '/Robot/connect'],
			},
		},
		registered: {
			builder: { rigidGap: 0.02 },
			newtonCompat: true,
			before: 'mujoco',
			usd: { schemaResolvers: RESOLVERS },
		},
		placed: { floating: true, usd: { overrideRootXform: true, xform: [1, 2, 3, 0, 0.6, 0, 0.8] } },
		compatMerged: { newtonCompat: true, collapseFixedJoints: true, usd: { reproduceFaults: ['world-label'] } },
		allJoints: { usd: { onlyLoadEnabledJoints: false, onlyLoadEnabledRigidBodies: false, jointOrdering: 'bfs' } },
		otherUp: { builder: { upAxis: 'x' } },
		compatDisabled: { newtonCompat: true, usd: { onlyLoadEnabledRigidBodies: true, skipMeshApproximation: true } },
		compatUnits: { newtonCompat: true, usd: { convertUnits: true, legacyMarginGap: true, schemaResolvers: RESOLVERS } },
		compatPlaced: { newtonCompat: true, usd: { overrideRootXform: true, xform: [1, 2, 3, 0, 0.6, 0, 0.8] } },
		solverDefaults: { builder: OTHER_DEFAULTS, usd: { schemaResolvers: RESOLVERS } },
		solverAgain: { before: 'asset', usd: { schemaResolvers: RESOLVERS, convertUnits: true } },
	},
};

/** All that an import gives, by name. */
function importText(
	name: string,
	text: Uint8Array,
	options: Options,
): { readonly found: Map<string, FlatValue>; readonly ledger: Ledger } {
	const store = new MemoryStore(new Map([...files, [name, text] as const]));
	const { builder: builderOptions, before, ...rest } = options;
	const builder = new ModelBuilder(builderOptions);
	if (before === 'asset')
		importAsset(name, builder, { ...rest, store: new MemoryStore(new Map([...files, [name, text] as const])) });
	if (before === 'carrier') addCarrier(builder);
	if (before === 'mujoco') registerMujocoAttributes(builder);
	const { result, ledger, report } = importAsset(name, builder, { store, ...rest });
	// a document is what was read, not what became of it
	const {
		report: _,
		ledger: __,
		document: ___,
		...facts
	} = { report: undefined, ledger: undefined, document: undefined, ...result };
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
	for (const { path, name: attribute, class: fate, targets, resolver, from, to, reason, note } of ledger.entries())
		found.set(
			`ledger ${path} ${attribute}`,
			[fate, ...targets, resolver, from, to, note, reason].filter((part) => part !== undefined).join(' '),
		);
	for (const { code, severity, range, prim, file, message } of report.toArray()) {
		const at = range === undefined ? '' : ` ${range.start.line}:${range.start.column}`;
		const finding = `${severity} ${code}${at}${prim === undefined ? '' : ` ${prim}`}`;
		const told = `${file === name ? '' : `${file}: `}${message}`;
		const known = found.get(finding);
		found.set(finding, known === undefined ? told : `${known}; ${told}`);
	}
	return { found, ledger };
}

/** Two bodies on a slider: index 1 is the one that moves. */
function addCarrier(builder: ModelBuilder): void {
	const base = builder.addLink({ xform: [1, 0, 2, 0, 0, 0.6, 0.8], label: 'base', mass: 2 });
	const cart = builder.addLink({ xform: [1, 1, 2, 0, 0, 0.6, 0.8], label: 'cart', mass: 3 });
	for (const body of [base, cart]) builder.addShapeBox(body, { halfExtents: [0.1, 0.2, 0.3] });
	builder.column('bodyQd').set([0.3, -0.2, 0.5, 1, 2, 3], 6 * cart);
	const free = builder.addJointFree({ child: base });
	const slider = builder.addJointPrismatic({ parent: base, child: cart, axis: [1, 0, 0] });
	builder.addArticulation([free, slider]);
}

/** Where the values of a model came from, by array and row. */
function sourcesOf(ledger: Ledger): string[] {
	const found: string[] = [];
	for (const array of MODEL_ARRAY_NAMES) {
		for (let i = 0; i < 40; i++) {
			const given = ledger.explain(array, i).map((origin) => Object.values(origin).join(' '));
			if (given.length > 0) found.push(`given ${array} ${i}: ${given.join('; ')}`);
		}
	}
	return found;
}

/** Values of one array on one line. */
function listed(all: ReadonlyMap<string, FlatValue>): string[] {
	const lines = new Map<string, string[]>();
	for (const [name, value] of all) {
		const array = name.replace(/\[\d+\]$/, '');
		const line = lines.get(array);
		if (line === undefined) lines.set(array, [showFlatValue(value)]);
		else line.push(showFlatValue(value));
	}
	return Array.from(lines, ([name, values]) => `${name}: ${values.join(' ')}`);
}

/** What is other than in another import, on one line; of many differences a few and a sum of all. */
function difference(base: ReadonlyMap<string, FlatValue>, other: ReadonlyMap<string, FlatValue>): string {
	const found: string[] = [];
	for (const [name, value] of other) {
		const before = base.get(name);
		if (before === value) continue;
		const [old, now] = [before === undefined ? '' : showFlatValue(before), showFlatValue(value)];
		if (before === undefined || old !== now) found.push(`${name} ${old}→${now}`);
	}
	for (const [name, value] of base) if (!other.has(name)) found.push(`${name} ${showFlatValue(value)}→`);
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

const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const told: Record<string, Set<string>> = {};

/** Options that the answers of a file speak of. What changes nothing is kept in the first file of its format only. */
function optionsOf(format: string, { names }: GoldenSections): string[] {
	told[format] = new Set([...(told[format] ?? []), ...names]);
	return Object.keys(OPTIONS[format]!).filter((option) => isUpdate || names.includes(`with ${option}`));
}

for (const name of [...files.keys()].filter((file) => /^(?:mjcf|urdf|usd)-/.test(file))) {
	const format = name.slice(0, name.indexOf('-'));
	const isFirst = told[format] === undefined;
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
		it.each(optionsOf(format, golden))('with %s', (option) => {
			let found: string;
			try {
				found = difference(base, importText(name, files.get(name)!, { ...own, ...OPTIONS[format]![option] }).found);
			} catch (error) {
				found = `throws ${(error as { code?: string }).code ?? (error as Error).name}`;
			}
			if (isUpdate && found === 'nothing' && !isFirst) golden.forget(`with ${option}`);
			else expect(found).toBe(golden.answer(`with ${option}`, [found]));
		});
		it.each([...neighbours(name, text)])('%s', (what, changed) => {
			const found = difference(base, importText(name, bytes.encode(changed), own).found);
			expect(found).toBe(golden.answer(what, [found]));
		});
	});
}

it.each(Object.keys(OPTIONS))('every option of %s has an answer', (format) => {
	expect(Object.keys(OPTIONS[format]!).filter((option) => !told[format]!.has(`with ${option}`))).toEqual([]);
});
