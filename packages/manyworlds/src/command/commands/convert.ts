import { isAbsolute } from 'node:path';
import { isTargetFormat, type TargetFormat } from '@manyworlds/convert';
import { quote, Report } from '@manyworlds/core';
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
import { readDependency, readInput, writeOutput } from '../files.ts';
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

/** `manyworlds convert INPUT OUTPUT`: writes a robot or a layer in another format. */
export function convert(context: CommandContext, input: string, output: string, options: ConvertCommandOptions): void {
	const report = new Report();
	const format = options.to ?? FORMATS[/\.([A-Za-z]+)$/.exec(output)?.[1]?.toLowerCase() ?? ''];
	if (format === undefined) {
		const message = `the extension of ${quote(output)} names no format, expected .urdf, .sdf, .xml, .glb, .gltf, .usda, .usdc, .usd or .usdz`;
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
