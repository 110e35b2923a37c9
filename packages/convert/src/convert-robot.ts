import { type DiagnosticDetails, quote, Report } from '@manyworlds/core';
import { type AssetStore, Path, type Stage } from '@manyworlds/usd';
import { createDiagnostic } from './diagnostics.ts';
import { fromUsd } from './from/from-usd.ts';
import { openUsd, type VariantChoice } from './from/open-usd.ts';
import type { VariantStage } from './gltf/material-variants.ts';
import { type WriteGltfOptions, writeGltf } from './gltf/write-gltf.ts';
import { ConversionLedger, type LedgerItem } from './model/conversion-ledger.ts';
import type { ConversionModel } from './model/conversion-model.ts';
import { emptyModel } from './model/empty-model.ts';
import { enterItems } from './model/enter-items.ts';
import type { LossCode } from './model/loss-codes.ts';
import { mergeFixed } from './model/merge-fixed.ts';
import { withPhysicalInertia } from './model/with-physical-inertia.ts';
import { openShown, readRobot } from './read-robot.ts';
import { type WriteRepUsdOptions, writeRepUsd } from './rep-usd/write-rep-usd.ts';
import { fileName } from './write/shape-meshes.ts';
import type { TargetFile } from './write/target-files.ts';
import { type WriteMjcfOptions, writeMjcf } from './write/write-mjcf.ts';
import { writeSdf } from './write/write-sdf.ts';
import { type WriteUrdfOptions, writeUrdf } from './write/write-urdf.ts';

/** Formats that robots are written in; `rep` is an OpenUSD asset as REP 0158 describes it. @public */
export type TargetFormat = keyof typeof TARGET_EXTENSIONS;

/** Extension of the main file of each format. @public */
export const TARGET_EXTENSIONS = {
	urdf: 'urdf',
	sdf: 'sdf',
	mjcf: 'xml',
	glb: 'glb',
	gltf: 'gltf',
	rep: 'usda',
} as const;

/** What the formats are called in sentences. */
const TARGET_NAMES: Readonly<Record<TargetFormat, string>> = {
	urdf: 'URDF',
	sdf: 'SDF',
	mjcf: 'MJCF',
	glb: 'glTF',
	gltf: 'glTF',
	rep: 'USD',
};

/** Whether a format is one that robots are written in. */
export function isTargetFormat(format: string): format is TargetFormat {
	return format in TARGET_EXTENSIONS;
}

/** Options of {@link convertRobot}. @public */
export interface ConvertRobotOptions extends WriteUrdfOptions, WriteMjcfOptions, WriteRepUsdOptions, WriteGltfOptions {
	/** Where the robot and its files come from. */
	readonly store: AssetStore;
	readonly to: TargetFormat;
	/** Name of the main file of the target; that of the robot with the extension of the format unless given. */
	readonly mainFile?: string;
	/** Variants to select on the stage of a USD robot; the authored ones where none is given (REP 3.7). */
	readonly variants?: readonly VariantChoice[];
	/** Whether inertias that no solid has are lifted to the nearest that one has; they are kept unless given. */
	readonly repairInertia?: boolean;
	/** Whether links that fixed joints hold become parts of the links that hold them, and frames; not in glTF. */
	readonly mergeFixed?: boolean;
	/** Whether what the target cannot hold is an error. */
	readonly isStrict?: boolean;
	/** Where findings go too. */
	readonly report?: Report;
}

/** A converted robot. @public */
export interface ConvertedRobot {
	/**
	 * The robot; where a stage is written as glTF, without what is only seen, which comes from the stage, and without the meshes of
	 * colliders that are not written.
	 */
	readonly model: ConversionModel;
	/** The main file first. */
	readonly files: readonly TargetFile[];
	/** What became of every item of the source. */
	readonly ledger: readonly LedgerItem[];
}

/**
 * Reads a robot and writes it in another format, in memory. Undefined when there is no robot to write; the report says why.
 *
 * ```ts
 * const robot = convertRobot('robot.urdf', { store, to: 'sdf', report });
 * for (const { path, content } of robot?.files ?? []) await write(path, content);
 * ```
 * @public
 */
export function convertRobot(identifier: string, options: ConvertRobotOptions): ConvertedRobot | undefined {
	const { store, to, variants = [], report = new Report() } = options;
	const isShown = to === 'glb' || to === 'gltf';
	const stage = isShown ? openShown(identifier, store, report, variants) : undefined;
	const read =
		stage === undefined
			? readRobot(identifier, store, report, variants)
			: // what a stage looks like is written from the stage
				(fromUsd(identifier, store, report, stage, {
					withLooks: false,
					withColliders: options.includeColliders === true,
				}) ?? emptyModel(stage.defaultPrim?.name ?? 'scene'));
	const chosen = stage === undefined ? [] : variantStages(stage, identifier, options, report);
	// what was asked for is not there: the authored state would be something else
	const isRefused = report.toArray().some(({ code }) => code === 'CNV009');
	if (read === undefined || isRefused) return undefined;
	const ledger = new ConversionLedger();
	const chosenModel = withoutChosenSet(read, options.materialVariants);
	const { model: whole, enter } =
		options.mergeFixed === true && !isShown ? mergeFixed(chosenModel) : { model: chosenModel, enter: () => {} };
	enterItems(ledger, whole, TARGET_NAMES[to], stage === undefined);
	enter(ledger);
	const model = options.repairInertia === true ? withPhysicalInertia(whole, ledger) : whole;
	if (to === 'rep' && options.base === undefined) tellBase(model, identifier, report);
	if (to === 'mjcf') tellDepth(model, identifier, report);
	const mainFile = options.mainFile ?? `${fileName(model.name)}.${TARGET_EXTENSIONS[to]}`;
	const files = isShown
		? writeGltf(model, stage, mainFile, to, store, ledger, {
				...options,
				variantStages: chosen,
			})
		: WRITERS[to](model, mainFile, store, ledger, options);
	tellLosses(ledger, identifier, report, options.isStrict ?? false);
	return { model, files, ledger: ledger.items };
}

/** A robot without the variant set whose variants are all written, as materials. */
function withoutChosenSet(model: ConversionModel, set: ConvertRobotOptions['materialVariants']): ConversionModel {
	if (set === undefined) return model;
	const name = `${set.prim}:${set.set}`;
	return { ...model, others: model.others.filter((other) => other.kind !== 'variant' || other.name !== name) };
}

/** The stage in each variant of the set whose materials are to be chosen. */
function variantStages(
	stage: Stage,
	identifier: string,
	{ materialVariants, variants = [], store }: ConvertRobotOptions,
	report: Report,
): VariantStage[] {
	if (materialVariants === undefined) return [];
	const { prim, set } = materialVariants;
	const holder = Path.parse(prim) === undefined ? undefined : stage.prim(prim);
	const names = holder?.variantSets().includes(set) === true ? holder.variants(set) : [];
	if (names.length === 0) {
		const message = `there is no variant set ${quote(set)} at ${quote(prim)} to write as materials`;
		report.add(createDiagnostic('CNV009', message, { file: identifier }));
	}
	return names.flatMap((variant) => {
		const own = openUsd(identifier, store, report, [...variants, { prim, set, variant }]);
		return own === undefined ? [] : [{ name: variant, stage: own }];
	});
}

/** Says that roots which URDF says nothing of are held. */
function tellBase({ format, bodies, joints }: ConversionModel, file: string, report: Report): void {
	if (format !== 'urdf') return;
	const held = new Set(joints.map(({ child }) => child));
	const root = bodies.findIndex((_, body) => !held.has(body));
	if (root < 0) return;
	const message = `nothing says whether ${quote(bodies[root]!.name)} is held by the world; it is written as held, --base floating lets it move`;
	report.add(createDiagnostic('CNV010', message, { ...bodies[root]!.from, file }));
}

/** Links in a row that MuJoCo reads: 500 elements less `mujoco`, `worldbody` and what is in the last link. */
const MOST_NESTED = 496;

/** Says that a chain is longer than readers of MJCF take. */
function tellDepth({ bodies, joints }: ConversionModel, file: string, report: Report): void {
	const holder = new Int32Array(bodies.length).fill(-1);
	for (const { parent, child } of joints) holder[child] = parent;
	const depths = new Uint32Array(bodies.length);
	for (let body = 0; body < bodies.length; body++) {
		const chain: number[] = [];
		for (let at = body; at >= 0 && depths[at] === 0 && chain.length <= bodies.length; at = holder[at]!) chain.push(at);
		for (const at of chain.reverse()) depths[at] = holder[at]! < 0 ? 1 : depths[holder[at]!]! + 1;
	}
	const first = depths.findIndex((depth) => depth > MOST_NESTED);
	if (first < 0) return;
	const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0);
	const { name, from } = bodies[first]!;
	const message = `${deepest} links hold each other in a row, and MuJoCo reads at most ${MOST_NESTED}; ${quote(name)} is the first beyond`;
	report.add(createDiagnostic('CNV011', message, { ...from, file }));
}

const WRITERS: Readonly<
	Record<
		Exclude<TargetFormat, 'glb' | 'gltf'>,
		(
			model: ConversionModel,
			mainFile: string,
			store: AssetStore,
			ledger: ConversionLedger,
			options: ConvertRobotOptions,
		) => TargetFile[]
	>
> = { urdf: writeUrdf, sdf: writeSdf, mjcf: writeMjcf, rep: writeRepUsd };

/** Findings for what is not in the target as it was, one for each kind of loss with a count, at the first of them. */
function tellLosses(ledger: ConversionLedger, file: string, report: Report, isStrict: boolean): void {
	const kinds = new Map<string, { isDropped: boolean; message: string; count: number; from: DiagnosticDetails }>();
	for (const { outcome, losses, from = { file } } of ledger.items) {
		for (const { code, message } of losses) {
			const key = `${outcome} ${code}`;
			const known = kinds.get(key);
			if (known === undefined) kinds.set(key, { isDropped: outcome === 'dropped', message, count: 1, from });
			else known.count++;
		}
	}
	for (const [key, { isDropped, message, count, from }] of kinds) {
		const code = key.split(' ')[1]! as LossCode;
		const rest = count === 1 ? '' : `; ${count - 1} more like this`;
		const told = createDiagnostic(isDropped ? 'CNV006' : 'CNV005', `${code}: ${message}${rest}`, { file, ...from });
		report.add(isDropped && isStrict ? { ...told, severity: 'error' } : told);
	}
}
