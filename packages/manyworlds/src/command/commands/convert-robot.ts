import { basename, dirname, join } from 'node:path';
import {
	type ConvertedRobot,
	convertRobot,
	type LedgerItem,
	type MeshCodec,
	type TargetFile,
	type TargetFormat,
	type VariantChoice,
	type Vendor,
} from '@manyworlds/convert';
import { quote, Report } from '@manyworlds/core';
import { writeUsdz } from '@manyworlds/usd';
import { formatBytes } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { fileExists, readDependency, writeOutput } from '../files.ts';
import { openRobotStore } from '../open-robot-store.ts';
import type { StageCommandOptions } from '../open-stage.ts';

/** Options of `manyworlds convert` for robots. */
export interface ConvertRobotCommandOptions extends Pick<StageCommandOptions, 'package' | 'packages' | 'root'> {
	readonly strict?: boolean;
	readonly report?: 'text' | 'json';
	readonly base?: 'fixed' | 'floating';
	readonly meshPackage?: string;
	readonly splitJoints?: boolean;
	readonly ros2Control?: boolean;
	readonly srdf?: boolean;
	readonly interfaces?: boolean;
	readonly variant?: readonly VariantChoice[];
	readonly repairInertia?: boolean;
	readonly mergeFixed?: boolean;
	readonly payloadPolicy?: 'kinematics-visible' | 'entry';
	readonly minMass?: number;
	readonly vendor?: readonly Vendor[];
	readonly includeColliders?: boolean;
	readonly animateJoints?: boolean;
	readonly animateStage?: boolean;
	readonly areaLights?: boolean;
	readonly prune?: boolean;
	readonly keepHidden?: boolean;
	readonly subdivide?: number;
	readonly primvars?: boolean;
	readonly fallback?: boolean;
	/** The codec of `--compress`, loaded. */
	readonly meshCodec?: MeshCodec;
	readonly materialVariants?: { readonly prim: string; readonly set: string };
	readonly force?: boolean;
}

/** Writes a robot in another format, with its meshes and images beside it. Nothing is written without a robot. */
export function convertToRobot(
	context: CommandContext,
	input: string,
	output: string,
	format: TargetFormat | 'usdz',
	options: ConvertRobotCommandOptions,
): void {
	const to = format === 'usdz' ? 'rep' : format;
	const opened = openRobotStore(context, input, options);
	if (opened === undefined) return;
	const { store, identifier, name } = opened;
	context.progress.step(`converting ${name}`);
	const report = new Report();
	const { base, meshPackage, splitJoints, variant, vendor } = options;
	const converted = convertRobot(identifier, {
		store,
		to,
		report,
		mainFile: format === 'usdz' ? basename(output).replace(/\.usdz$/i, '.usda') : basename(output),
		isStrict: options.strict ?? false,
		...(base === undefined ? {} : { base }),
		...(meshPackage === undefined ? {} : { package: meshPackage }),
		...(splitJoints === undefined ? {} : { splitJoints }),
		...(variant === undefined ? {} : { variants: variant }),
		...(vendor === undefined ? {} : { vendors: vendor }),
		repairInertia: options.repairInertia ?? false,
		mergeFixed: options.mergeFixed ?? false,
		...(options.payloadPolicy === undefined ? {} : { payloadPolicy: options.payloadPolicy }),
		...(options.minMass === undefined ? {} : { leastMass: options.minMass }),
		includeColliders: options.includeColliders ?? false,
		animateJoints: options.animateJoints ?? false,
		animateStage: options.animateStage ?? false,
		areaLights: options.areaLights ?? false,
		prune: options.prune ?? false,
		keepHidden: options.keepHidden ?? false,
		subdivide: options.subdivide ?? 0,
		primvars: options.primvars ?? false,
		fallback: options.fallback ?? true,
		...(options.meshCodec === undefined ? {} : { meshCodec: options.meshCodec }),
		...(options.materialVariants === undefined ? {} : { materialVariants: options.materialVariants }),
		ros2Control: options.ros2Control ?? false,
		srdf: options.srdf ?? false,
		interfaceFile: options.interfaces ?? false,
	});
	const target = converted === undefined ? context.report : context.findings;
	for (const one of report.toArray()) {
		target.add(one.file === undefined ? one : { ...one, file: context.display(one.file) });
	}
	if (converted === undefined) return;
	const folder = dirname(output);
	const all = converted.files.map((file): OutputFile => ({ path: file.path, chunks: chunksOf(file) }));
	const written =
		format === 'usdz'
			? [
					{
						path: basename(output),
						chunks: [writeUsdz(all.map(({ path, chunks }) => ({ name: path, bytes: chunks[0]! })))],
					},
				]
			: all;
	if (options.force !== true && !isFree(context, folder, written)) return;
	// the main file last: what it names is there when it is
	for (const { path, chunks } of written.toReversed()) if (!writeOutput(context, join(folder, path), chunks)) return;
	const size = written.reduce((sum, { chunks }) => chunks.reduce((own, { length }) => own + length, sum), 0);
	const files = written.length === 1 ? '' : `, ${written.length} files`;
	context.note(`wrote ${context.display(output)} (${format}, ${formatBytes(size)}${files})`);
	context.note(summaryOf(converted));
	if (options.report === 'json') context.print(ledgerJson(converted.ledger));
	if (options.report === 'text') context.print(ledgerText(converted.ledger));
}

/** A file to write, in pieces. */
interface OutputFile {
	readonly path: string;
	readonly chunks: readonly Uint8Array[];
}

function chunksOf(file: TargetFile): readonly Uint8Array[] {
	if (file.chunks !== undefined) return file.chunks;
	return [typeof file.content === 'string' ? new TextEncoder().encode(file.content) : file.content];
}

/**
 * Whether files can be written without spoiling those of another asset: what lies there belongs to the main file that lies there, or
 * is what would be written.
 */
function isFree(context: CommandContext, folder: string, [main, ...others]: readonly OutputFile[]): boolean {
	if (fileExists(context, join(folder, main!.path))) return true;
	const taken = others.find(({ path, chunks }) => {
		const file = join(folder, path);
		const present = fileExists(context, file) ? readDependency(context, file) : undefined;
		return present !== undefined && Buffer.compare(present, Buffer.concat(chunks)) !== 0;
	});
	if (taken === undefined) return true;
	const file = context.display(join(folder, taken.path));
	const message = `${quote(file)} is there already and may belong to another robot; give this one a folder of its own, or --force`;
	context.report.add(createDiagnostic('CLI025', message, { file }));
	return false;
}

/** What the robot is, and how much of it is in the target. */
function summaryOf({ model, ledger }: ConvertedRobot): string {
	const mass = model.bodies.reduce((sum, { inertia }) => sum + (inertia?.mass ?? 0), 0);
	const moving = model.joints.filter(({ kind }) => kind !== 'fixed').length;
	const count = (outcome: LedgerItem['outcome']): number => ledger.filter((item) => item.outcome === outcome).length;
	const robot = `${model.bodies.length} links, ${model.joints.length} joints (${moving} move), ${mass.toPrecision(4)} kg`;
	return `${robot}; ${count('exported')} parts exported, ${count('approximated')} approximated, ${count('dropped')} lost`;
}

/** One line for each part. */
function ledgerText(ledger: readonly LedgerItem[]): string {
	const lines = ledger.map(({ kind, name, outcome, losses }) => {
		const reasons = losses.map(({ code, message }) => ` [${code}] ${message}`).join(';');
		return `${outcome.padEnd(12)} ${kind.padEnd(8)} ${name}${reasons}`;
	});
	return `${lines.join('\n')}\n`;
}

/** Every item as JSON, with its place but without the lines around it. */
function ledgerJson(ledger: readonly LedgerItem[]): string {
	const items = ledger.map(({ from, ...item }) => {
		const { file, range, prim } = from ?? {};
		return from === undefined ? item : { ...item, from: { file, range, prim } };
	});
	return `${JSON.stringify({ version: 1, items }, null, 2)}\n`;
}
