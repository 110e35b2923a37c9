import { quote } from '@manyworlds/core';
import type { ImageFormat, ImageInfo } from '@manyworlds/image';
import { IMAGE_FORMAT_NAMES } from '@manyworlds/image/internal';
import { type Attribute, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import { isDataRole, type TextureUse } from '../shading/material-network.ts';
import { type TextureFile, textureFile, visualMaterials } from '../shading/visual-materials.ts';
import type { Statement } from './statement.ts';

/** REP 3.2: formats of textures. */
export const SECTION_3_2: readonly Statement[] = [
	{ id: 'R3.2.1', section: '3.2', level: 'must', check: 'static', visit: checkFormats },
	{ id: 'R3.2.2', section: '3.2', level: 'must', check: 'static', visit: checkDataMaps },
	{ id: 'R3.2.3', section: '3.2', level: 'may', check: 'static', visit: checkAlpha },
	{
		id: 'R3.2.4',
		section: '3.2',
		level: 'must not',
		check: 'static',
		visit: (context, report) => checkForbidden(context, report, ['ktx2', 'ktx']),
	},
	{
		id: 'R3.2.5',
		section: '3.2',
		level: 'must not',
		check: 'static',
		visit: (context, report) => checkForbidden(context, report, ['exr', 'tiff', 'hdr']),
	},
	{ id: 'R3.2.6', section: '3.2', level: 'must', check: 'static', visit: checkDomes },
];

/** Formats that have rules of their own. */
const OTHERS_CHECK: readonly ImageFormat[] = ['ktx2', 'ktx', 'exr', 'tiff', 'hdr'];
const ALLOWED: readonly ImageFormat[] = ['png', 'jpeg'];

function eachTexture(context: CheckContext, visit: (use: TextureUse, file: TextureFile) => void): void {
	for (const { textures } of visualMaterials(context)) {
		for (const use of textures) {
			// tiles are found by R3.1.6, and what a package holds can be told only where the package is
			if (use.assetPath === '' || /<UDIM>/i.test(use.assetPath)) continue;
			visit(use, textureFile(context, use.file, use.assetPath));
		}
	}
}

function checkFormats(context: CheckContext, report: Reporter): void {
	eachTexture(context, ({ file, assetPath }, { isFound, isRead, info }) => {
		// a file that is missing is found by R1.2.4.2
		if (!isFound) return;
		if (isRead && info === undefined) {
			report.add(context.at(file), `the texture ${quote(assetPath)} is no image, expected 8-bit PNG or JPEG`);
		} else if (info !== undefined) {
			const fault = formatFault(info);
			if (fault !== undefined)
				report.add(context.at(file), `the texture ${quote(assetPath)} is ${fault}, expected 8-bit PNG or JPEG`);
		}
	});
}

function formatFault({ format, bitDepth }: ImageInfo): string | undefined {
	if (OTHERS_CHECK.includes(format)) return undefined;
	if (!ALLOWED.includes(format)) return IMAGE_FORMAT_NAMES[format];
	return bitDepth !== undefined && bitDepth > 8 ? `${bitDepth}-bit ${IMAGE_FORMAT_NAMES[format]}` : undefined;
}

function checkForbidden(context: CheckContext, report: Reporter, formats: readonly ImageFormat[]): void {
	for (const { textures } of visualMaterials(context)) {
		for (const { file, assetPath } of textures) {
			if (assetPath === '') continue;
			const { info } = textureFile(context, file, assetPath);
			// what cannot be read, such as tiles, is told by its name
			const format = info?.format ?? formatByName(assetPath);
			if (format === undefined || !formats.includes(format)) continue;
			const name = IMAGE_FORMAT_NAMES[format];
			report.add(context.at(file), `the texture ${quote(assetPath)} is ${name}, expected 8-bit PNG or JPEG`);
		}
	}
}

function formatByName(assetPath: string): ImageFormat | undefined {
	const extension = /\.(\w+)$/.exec(assetPath)?.[1]?.toLowerCase();
	return extension === undefined ? undefined : FORMATS_BY_NAME[extension];
}

const FORMATS_BY_NAME: Readonly<Record<string, ImageFormat>> = {
	exr: 'exr',
	hdr: 'hdr',
	ktx2: 'ktx2',
	tif: 'tiff',
	tiff: 'tiff',
};

function checkDataMaps(context: CheckContext, report: Reporter): void {
	eachTexture(context, ({ file, assetPath, roles }, { info }) => {
		if (info?.format !== 'jpeg') return;
		const role = roles.find((candidate) => candidate.input !== 'st' && isDataRole(candidate));
		if (role === undefined) return;
		report.add(
			context.at(file),
			`the texture ${quote(assetPath)} of ${role.input} is JPEG, expected PNG: compression changes data`,
		);
	});
}

/** JPEG has no alpha, so an opacity that is read from one is always 1. */
function checkAlpha(context: CheckContext, report: Reporter): void {
	eachTexture(context, ({ file, assetPath, roles }, { info }) => {
		if (info?.format !== 'jpeg') return;
		if (!roles.some(({ input, output }) => input === 'opacity' && output === 'a')) return;
		report.add(
			context.at(file),
			`opacity comes from the alpha of ${quote(assetPath)}, which is JPEG and has none: expected PNG`,
		);
	});
}

function checkDomes(context: CheckContext, report: Reporter): void {
	for (const light of context.lists.lights) {
		if (!light.typeName.startsWith('DomeLight')) continue;
		const attribute: Attribute = light.attribute('inputs:texture:file');
		const assetPath = dataOf(attribute.get(), T.asset);
		if (assetPath === undefined || assetPath === '') continue;
		const { info, isRead } = textureFile(context, attribute, assetPath);
		if (
			!isRead ||
			info?.format === 'hdr' ||
			(info !== undefined && ALLOWED.includes(info.format) && (info.bitDepth ?? 8) <= 8)
		)
			continue;
		const what = info === undefined ? 'no image' : IMAGE_FORMAT_NAMES[info.format];
		report.add(context.at(attribute), `the environment ${quote(assetPath)} is ${what}, expected Radiance HDR`);
	}
}
