import { basename, isAbsolute, join } from 'node:path';
import { TARGET_EXTENSIONS, type TargetFormat } from '@manyworlds/convert';
import { isTargetFormat } from '@manyworlds/convert/internal';
import { quote, Report } from '@manyworlds/core';
import { detectAssetFormat } from '@manyworlds/import';
import { toSlashes } from '@manyworlds/node/internal';
import { convertFile, type LayerFormat } from '@manyworlds/usd';
import {
	formatBytes,
	hasContent,
	joinPackageRelativePath,
	openFile,
	splitPackageRelativePathOuter,
} from '@manyworlds/usd/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { fileExists, isFolder, readDependency, readInput, writeOutput } from '../files.ts';
import { findAssets } from '../find-assets.ts';
import { type ConvertRobotCommandOptions, convertToRobot } from './convert-robot.ts';

/** Options of `manyworlds convert`. */
export interface ConvertCommandOptions extends ConvertRobotCommandOptions {
	readonly to?: LayerFormat | TargetFormat;
	readonly usdcVersion?: string;
	readonly rewritePaths?: boolean;
}

/** Formats by extension; what `.usd` holds is free, and crate is smaller and faster. */
const FORMATS: Readonly<Record<string, LayerFormat | TargetFormat>> = {
	usda: 'usda',
	usdc: 'usdc',
	usd: 'usdc',
	usdz: 'usdz',
	urdf: 'urdf',
	sdf: 'sdf',
	xml: 'mjcf',
	mjcf: 'mjcf',
	glb: 'glb',
	gltf: 'gltf',
};

/** Files of robots in folders. */
const ROBOTS = /\.(?:urdf|xml|mjcf|sdf|usd[acz]?)$/i;

/**
 * `manyworlds convert INPUT… OUTPUT`: writes robots or layers in another format. Several inputs, a folder or a pattern are written to
 * a folder, each robot to one of its own there.
 */
export function convert(
	context: CommandContext,
	inputs: readonly string[],
	output: string,
	options: ConvertCommandOptions,
): void {
	const [input] = inputs;
	if (inputs.length === 1 && !isSeveral(context, input!)) {
		convertOne(context, input!, output, options);
		return;
	}
	const { to } = options;
	if (to === undefined) {
		const message = 'several inputs are written to a folder; --to says the format, such as --to urdf';
		context.report.add(createDiagnostic('CLI005', message, { file: context.display(output) }));
		return;
	}
	const files = findAssets(context, inputs, ROBOTS, options).filter((file) => isAsset(context, file));
	const stems = new Set<string>();
	for (const [index, file] of files.entries()) {
		context.progress.step(`${index + 1} of ${files.length}`);
		let stem = basename(file).replace(/\.[^.]*$/, '');
		for (let n = 2; stems.has(stem); n++) stem = `${basename(file).replace(/\.[^.]*$/, '')}_${n}`;
		stems.add(stem);
		const extension = isTargetFormat(to) ? TARGET_EXTENSIONS[to] : to;
		convertOne(context, file, join(output, ...(to === 'usdz' ? [] : [stem]), `${stem}.${extension}`), options);
	}
}

/** Whether an argument stands for more than one file. */
function isSeveral(context: CommandContext, input: string): boolean {
	return isFolder(context, input) || (/[*?{]/.test(input) && !fileExists(context, input));
}

/** Whether a file of a folder is a robot or a stage; parts of MJCF and meshes are neither. */
function isAsset(context: CommandContext, file: string): boolean {
	const bytes = readDependency(context, file);
	return bytes !== undefined && detectAssetFormat(bytes, file) !== undefined;
}

/** Formats of layers that a robot of another format can be written in, and how. */
const AS_ROBOT: Readonly<Record<LayerFormat, 'rep' | 'usdz' | undefined>> = {
	usda: 'rep',
	usdz: 'usdz',
	usdc: undefined,
};

function convertOne(context: CommandContext, input: string, output: string, options: ConvertCommandOptions): void {
	const report = new Report();
	const format = options.to ?? FORMATS[/\.([A-Za-z]+)$/.exec(output)?.[1]?.toLowerCase() ?? ''];
	if (format === undefined) {
		const message = `unknown extension of ${quote(output)}, expected .urdf, .sdf, .xml, .glb, .gltf, .usda, .usdc, .usd or .usdz`;
		context.report.add(createDiagnostic('CLI005', message, { file: context.display(output) }));
		return;
	}
	if (isTargetFormat(format)) {
		convertToRobot(context, input, output, format, options);
		return;
	}
	const [path, member] = splitPackageRelativePathOuter(toSlashes(input));
	const bytes = readInput(context, path);
	if (bytes === undefined) return;
	const source = detectAssetFormat(bytes, path);
	const robot = /\.usd$/i.test(output) ? 'rep' : AS_ROBOT[format];
	if (source !== undefined && source !== 'usd') {
		if (robot !== undefined) convertToRobot(context, input, output, robot, options);
		else {
			const message = `a robot is written as several layers, of which ${quote(output)} is text: expected .usda or .usdz`;
			context.report.add(createDiagnostic('CLI005', message, { file: context.display(output) }));
		}
		return;
	}
	context.progress.step(`converting to ${format}`, bytes.length);
	const converted = convertFile(bytes, {
		...comparablePaths(context, path, member, output),
		format,
		read: (file) => readDependency(context, file),
		report,
		rewritePaths: options.rewritePaths ?? false,
		...(options.usdcVersion !== undefined && { usdcVersion: options.usdcVersion }),
	});
	const { layer } = converted === undefined ? openFile(bytes, { file: joinPackageRelativePath(path, member) }) : {};
	const isUsable = converted !== undefined || (layer !== undefined && hasContent(layer.data));
	const target = isUsable ? context.findings : context.report;
	target.addAll(report);
	if (converted === undefined) {
		const message = `${quote(context.display(output))} was not written, because the input has errors`;
		target.add(createDiagnostic('CLI011', message, { file: context.display(output) }));
	} else if (writeOutput(context, output, converted)) {
		context.note(`wrote ${context.display(output)} (${format}, ${formatBytes(converted.length)})`);
	}
}

/** Input and output seen from the same place, so that relative paths between them can be told. */
function comparablePaths(
	context: CommandContext,
	input: string,
	member: string,
	output: string,
): { file: string; output: string } {
	const names = [input, output].map((file) => context.display(file));
	const isBelow = names.every((name) => !name.startsWith('..') && !isAbsolute(name));
	const [file, target] = isBelow ? names : [input, output].map((path) => toSlashes(context.absolute(path)));
	return { file: joinPackageRelativePath(file!, member), output: target! };
}
