import { quote, Report } from '@manyworlds/core';
import { detectAssetFormat } from '@manyworlds/import';
import type { AssetStore, Stage } from '@manyworlds/usd';
import { createDiagnostic } from './diagnostics.ts';
import { fromMjcf } from './from/from-mjcf.ts';
import { fromUrdf } from './from/from-urdf.ts';
import { fromUsd, openUsd } from './from/from-usd.ts';
import { writeGltf } from './gltf/write-gltf.ts';
import { ConversionLedger, type ItemKind, type LedgerItem } from './model/conversion-ledger.ts';
import type { ConversionModel } from './model/conversion-model.ts';
import type { LossCode } from './model/loss-codes.ts';
import { fileName } from './write/shape-meshes.ts';
import type { TargetFile } from './write/target-files.ts';
import { type WriteMjcfOptions, writeMjcf } from './write/write-mjcf.ts';
import { writeSdf } from './write/write-sdf.ts';
import { type WriteUrdfOptions, writeUrdf } from './write/write-urdf.ts';

/** Formats that robots are written in. @public */
export type TargetFormat = keyof typeof TARGET_EXTENSIONS;

/** Extension of the main file of each format. @public */
export const TARGET_EXTENSIONS = { urdf: 'urdf', sdf: 'sdf', mjcf: 'xml', glb: 'glb', gltf: 'gltf' } as const;

/** Whether a format is one that robots are written in. @public */
export function isTargetFormat(format: string): format is TargetFormat {
	return format in TARGET_EXTENSIONS;
}

/** Options of {@link convertRobot}. @public */
export interface ConvertRobotOptions extends WriteUrdfOptions, WriteMjcfOptions {
	/** Where the robot and its files come from. */
	readonly store: AssetStore;
	readonly to: TargetFormat;
	/** Name of the main file of the target; that of the robot with the extension of the format unless given. */
	readonly mainFile?: string;
	/** Whether what the target cannot hold is an error. */
	readonly isStrict?: boolean;
	/** Where findings go too. */
	readonly report?: Report;
}

/** A converted robot. @public */
export interface ConvertedRobot {
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
	const { store, to, report = new Report() } = options;
	const isShown = to === 'glb' || to === 'gltf';
	const stage = isShown ? openShown(identifier, store, report) : undefined;
	const model =
		stage === undefined
			? readRobot(identifier, store, report)
			: (fromUsd(identifier, store, report, stage) ?? emptyModel(stage.defaultPrim?.name ?? 'scene'));
	if (model === undefined) return undefined;
	const ledger = new ConversionLedger();
	enterItems(ledger, model, stage === undefined);
	const mainFile = options.mainFile ?? `${fileName(model.name)}.${TARGET_EXTENSIONS[to]}`;
	const files = isShown
		? writeGltf(model, stage, mainFile, to, store, ledger)
		: WRITERS[to](model, mainFile, store, ledger, options);
	tellLosses(ledger, identifier, report, options.isStrict ?? false);
	return { model, files, ledger: ledger.items };
}

/** Reads a robot of any format; undefined when there is none. @public */
export function readRobot(identifier: string, store: AssetStore, report: Report): ConversionModel | undefined {
	const bytes = store.bytes(identifier);
	if (!(bytes instanceof Uint8Array)) {
		const why = bytes === undefined ? 'it is not loaded yet' : bytes.failure || 'there is no such file';
		report.add(createDiagnostic('CNV003', `${quote(identifier)} cannot be read: ${why}`, { file: identifier }));
		return undefined;
	}
	const format = detectAssetFormat(bytes, identifier);
	const model =
		format === 'urdf'
			? fromUrdf(bytes, identifier, store, report)
			: format === 'usd'
				? fromUsd(identifier, store, report)
				: format === 'mjcf'
					? fromMjcf(bytes, identifier, store, report)
					: undefined;
	if (model === undefined || model.bodies.length === 0) {
		report.add(
			createDiagnostic('CNV003', `${quote(identifier)} holds no robot that can be converted`, { file: identifier }),
		);
		return undefined;
	}
	return model;
}

/** The stage of what is written as it looks: scenes without robots too. Undefined for other formats. */
function openShown(identifier: string, store: AssetStore, report: Report): Stage | undefined {
	const bytes = store.bytes(identifier);
	if (!(bytes instanceof Uint8Array) || detectAssetFormat(bytes, identifier) !== 'usd') return undefined;
	return openUsd(identifier, store, report);
}

/** A scene without a robot. */
function emptyModel(name: string): ConversionModel {
	return {
		name,
		format: 'usd',
		bodies: [],
		joints: [],
		loops: [],
		mimics: [],
		frames: [],
		shapes: [],
		meshes: [],
		materials: [],
		filters: [],
	};
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
> = { urdf: writeUrdf, sdf: writeSdf, mjcf: writeMjcf };

/**
 * Enters every item of the source, so that each has one entry whatever a writer does. A writer that walks the stage enters what it
 * looks like itself.
 */
function enterItems(ledger: ConversionLedger, model: ConversionModel, withLooks: boolean): void {
	const { bodies, joints, loops, frames, shapes, materials, meshes, mimics, filters } = model;
	const enter = (kind: ItemKind, names: readonly string[]): void => {
		for (const [index, name] of names.entries()) ledger.enter(kind, index, name);
	};
	const nameOf = ({ name }: { readonly name: string }): string => name;
	const bodyName = (body: number): string => bodies[body]?.name ?? 'world';
	enter('body', bodies.map(nameOf));
	enter('joint', joints.map(nameOf));
	for (const [index, { name, freedoms }] of joints.entries()) {
		if (freedoms.some(({ drive }) => drive !== undefined)) ledger.enter('drive', index, name);
	}
	enter('loop', loops.map(nameOf));
	enter(
		'mimic',
		mimics.map(({ follower }) => joints[follower]!.name),
	);
	enter('frame', frames.map(nameOf));
	for (const [index, { name, role }] of shapes.entries()) {
		if (role === 'collision') ledger.enter('collider', index, name);
		else if (withLooks) ledger.enter('visual', index, name);
	}
	if (withLooks) {
		enter('material', materials.map(nameOf));
		enter('mesh', meshes.map(nameOf));
	}
	enter(
		'filter',
		filters.map(([a, b]) => `${bodyName(a)} ${bodyName(b)}`),
	);
}

/** Findings for what is not in the target as it was, one for each kind of loss with a count. */
function tellLosses(ledger: ConversionLedger, file: string, report: Report, isStrict: boolean): void {
	const kinds = new Map<string, { isDropped: boolean; message: string; count: number }>();
	for (const { outcome, losses } of ledger.items) {
		for (const { code, message } of losses) {
			const key = `${outcome} ${code}`;
			const known = kinds.get(key);
			if (known === undefined) kinds.set(key, { isDropped: outcome === 'dropped', message, count: 1 });
			else known.count++;
		}
	}
	for (const [key, { isDropped, message, count }] of kinds) {
		const code = key.split(' ')[1]! as LossCode;
		const rest = count === 1 ? '' : `; ${count - 1} more like this`;
		const told = createDiagnostic(isDropped ? 'CNV006' : 'CNV005', `${code}: ${message}${rest}`, { file });
		report.add(isDropped && isStrict ? { ...told, severity: 'error' } : told);
	}
}
