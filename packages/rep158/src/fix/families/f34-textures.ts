import { encodeHdr, encodePng, type ImageInfo, quantize, type Raster, readImageInfo } from '@manyworlds/image';
import { IMAGE_FORMAT_NAMES, inColour } from '@manyworlds/image/internal';
import { type Attribute, type Layer, makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf, inputValue, shaderId, valueProducers } from '@manyworlds/usd/internal';
import { numbersOf, readText } from '../../asset/read-values.ts';
import type { RepCode } from '../../diagnostics.ts';
import { isDataRole, materialNetwork, type TextureRole } from '../../shading/material-network.ts';
import { isPhysicsOnly } from '../../shading/visual-materials.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setAttribute } from '../engine/sites.ts';

/** F34: surface textures as PNG of 8 bits where the REP does not take them as they are, and environments as Radiance HDR. */
export const TEXTURES: Fixer = {
	family: 'F34',
	title: 'textures as 8-bit PNG',
	rules: ['R3.2.1', 'R3.2.2', 'R3.2.3', 'R3.2.4', 'R3.2.5', 'R3.2.6'],
	safety: 'unsafe',
	apply(session) {
		const made = new Map<string, string>();
		eachPrim(
			session,
			(prim) => prim.typeName === 'Material' && !isPhysicsOnly(prim),
			(material) => {
				for (const use of fileUses(material)) convertUse(session, use, made);
			},
		);
		eachPrim(
			session,
			(prim) => prim.typeName.startsWith('DomeLight'),
			(light) => convertDome(session, light),
		);
	},
};

/** An attribute that names an image, and everything that reads it. */
interface FileUse {
	readonly prim: Path;
	readonly name: string;
	readonly assetPath: string;
	readonly shaders: readonly Path[];
	readonly roles: readonly TextureRole[];
}

function fileUses(material: Prim): FileUse[] {
	const found = new Map<string, FileUse & { shaders: Path[]; roles: TextureRole[] }>();
	for (const { file, assetPath, shader, roles } of materialNetwork(material).textures) {
		if (assetPath === '' || /<UDIM>/i.test(assetPath)) continue;
		const key = file.path.toString();
		const known = found.get(key);
		if (known === undefined) {
			const { prim, name } = file;
			found.set(key, { prim: prim.path, name, assetPath, shaders: [shader.path], roles: [...roles] });
		} else {
			known.shaders.push(shader.path);
			known.roles.push(...roles);
		}
	}
	return [...found.values()];
}

/** The rule that an image breaks in its roles. */
function brokenRule({ format, bitDepth }: ImageInfo, roles: readonly TextureRole[]): RepCode | undefined {
	if (format === 'ktx2' || format === 'ktx') return 'R3.2.4';
	if (format === 'exr' || format === 'tiff' || format === 'hdr') return 'R3.2.5';
	if (format !== 'png' && format !== 'jpeg') return 'R3.2.1';
	if ((bitDepth ?? 8) > 8) return 'R3.2.1';
	if (format !== 'jpeg') return undefined;
	if (roles.some((role) => role.input !== 'st' && isDataRole(role))) return 'R3.2.2';
	return roles.some(({ input, output }) => input === 'opacity' && output === 'a') ? 'R3.2.3' : undefined;
}

interface ImageFile {
	readonly bytes: Uint8Array;
	readonly identifier: string;
	readonly anchor: Layer;
}

function convertUse(session: FixSession, use: FileUse, made: Map<string, string>): void {
	const file = session.stage.prim(use.prim)!.attribute(use.name);
	const image = readImage(session, file, use.assetPath);
	const info = image === undefined ? undefined : readImageInfo(image.bytes);
	if (image === undefined || info === undefined) return;
	const rule = brokenRule(info, use.roles);
	if (rule === undefined || !session.wants(rule)) return;
	const fault = refusal(session, file, use.assetPath);
	const decoded = session.decodeImage(image.bytes);
	if (fault !== undefined || 'reason' in decoded) {
		const reason = fault ?? ('reason' in decoded ? `it ${decoded.reason}` : '');
		session.refuse(rule, `'${use.assetPath}' cannot be made a PNG of 8 bits: ${reason}`, { prim: use.prim });
		return;
	}
	const shaders = use.shaders.map((path) => session.stage.prim(path)!);
	const plan = storagePlan(shaders, decoded.raster, use.roles);
	const source = plan.isSrgb ? inColour(decoded.raster) : decoded.raster;
	const quantized = quantize(source, plan);
	if (quantized.invalid > 0)
		session.note(rule, `${quantized.invalid} numbers of '${use.assetPath}' are infinite or none and became 0`, {
			prim: use.prim,
		});
	const key = `${image.identifier}\n${plan.isSrgb}\n${plan.spreads}`;
	let path = made.get(key);
	if (path === undefined) {
		path = freePath(session, image, use.assetPath, 'png');
		const isSrgb = plan.isSrgb || plan.isReadAsSrgb;
		session.writeFile(rule, path, image.anchor, encodePng(quantized.raster, isSrgb));
		made.set(key, path);
		const losses = lossOf(info, decoded.raster, quantized.scale);
		if (losses !== undefined) session.note(rule, `'${use.assetPath}' ${losses}`, { prim: use.prim });
	}
	setAsset(session, rule, use.prim, use.name, path);
	for (const shader of use.shaders) keepReading(session, rule, shader, plan, quantized);
}

/** What becomes of the numbers of an image. */
function lossOf(info: ImageInfo, { samples }: Raster, scale: readonly number[]): string | undefined {
	if (info.format === 'jpeg') return 'was compressed with losses, which stay';
	if (samples instanceof Uint8Array) return undefined;
	const most = Math.max(...scale);
	const steps = most > 1 ? `, steps of ${(most / 255).toPrecision(3)}` : '';
	return `had ${samples instanceof Uint16Array ? '16-bit numbers' : 'floats'} and has 8 bits now${steps}`;
}

/** Why a file cannot be replaced. */
function refusal(session: FixSession, file: Attribute, assetPath: string): string | undefined {
	if (file.timeSamples().length > 0) return 'its path changes with time';
	if (/^[a-z][a-z0-9+.-]*:/i.test(assetPath)) return 'it belongs to something else; convert it there';
	const { site } = file.resolveInfo('default');
	if (site === undefined || !session.isEditable(site.layer))
		return 'the layer that names it cannot be changed from here';
	return undefined;
}

function readImage(session: FixSession, file: Attribute, assetPath: string): ImageFile | undefined {
	const anchor = file.resolveInfo('default').site?.layer;
	if (anchor === undefined) return undefined;
	const { identifier, refusal: fault } = session.store.identify(assetPath, anchor.identifier);
	const bytes = fault === undefined ? session.readFile(identifier) : undefined;
	return bytes && { bytes, identifier, anchor };
}

interface StoragePlan {
	/** Whether numbers that were read as they are become colours on the sRGB curve. */
	readonly isSrgb: boolean;
	/** Whether they were read as colours of sRGB before. */
	readonly isReadAsSrgb: boolean;
	readonly spreads: boolean;
}

/**
 * How readers take the numbers of an image decides how they are stored: UsdUVTexture takes 8-bit colours as sRGB unless told
 * otherwise, and everything else as it is.
 */
function storagePlan(shaders: readonly Prim[], raster: Raster, roles: readonly TextureRole[]): StoragePlan {
	const isReadAsSrgb = shaders.some((shader) => readsSrgb(shader, raster));
	const isColour = roles.every((role) => role.input === 'st' || !isDataRole(role));
	const canTell = shaders.every((shader) => shaderId(shader) === 'UsdUVTexture' && !isConnected(shader));
	return {
		isReadAsSrgb,
		isSrgb: !isReadAsSrgb && isColour && canTell && !(raster.samples instanceof Uint8Array) && usesColour(roles),
		spreads: canTell && !isReadAsSrgb,
	};
}

/** Whether something reads more than alpha. */
function usesColour(roles: readonly TextureRole[]): boolean {
	return roles.some(({ input }) => input !== 'opacity' && input !== 'opacityThreshold' && input !== 'st');
}

function readsSrgb(shader: Prim, { channels, samples }: Raster): boolean {
	const space = colourSpace(shader);
	if (space === 'sRGB') return true;
	return space !== 'raw' && samples instanceof Uint8Array && channels >= 3;
}

function colourSpace(shader: Prim): string {
	const value = inputValue(shader, 'sourceColorSpace');
	return dataOf(value, T.token) ?? dataOf(value, T.string) ?? 'auto';
}

/** Whether scale or bias come from elsewhere. */
function isConnected(shader: Prim): boolean {
	return ['inputs:scale', 'inputs:bias', 'inputs:sourceColorSpace'].some((name) => {
		const attribute = shader.attribute(name);
		return attribute.connections().length > 0 && valueProducers(attribute)[0]?.prim.path !== shader.path;
	});
}

/** Lets a shader read from the new image what it read from the old one. */
function keepReading(
	session: FixSession,
	rule: RepCode,
	path: Path,
	plan: StoragePlan,
	{ raster, scale, bias }: { raster: Raster; scale: readonly number[]; bias: readonly number[] },
): void {
	const shader = session.stage.prim(path)!;
	if (shaderId(shader) !== 'UsdUVTexture') return;
	const wanted = plan.isSrgb ? 'sRGB' : plan.isReadAsSrgb ? undefined : 'raw';
	const isAuto = colourSpace(shader) === 'auto';
	// grey images are taken as they are anyway
	if (
		wanted !== undefined &&
		colourSpace(shader) !== wanted &&
		(wanted === 'sRGB' || (isAuto && raster.channels >= 3))
	) {
		const value = makeValue(T.token, wanted) as Value;
		setAttribute(session, rule, shader, 'inputs:sourceColorSpace', value, { typeName: 'token' });
	}
	if (scale.every((value) => value === 1) && bias.every((value) => value === 0)) return;
	const spread = (values: readonly number[], alpha: number): number[] => {
		const { channels } = raster;
		const colours = channels >= 3 ? values.slice(0, 3) : [values[0]!, values[0]!, values[0]!];
		return [...colours, channels % 2 === 0 ? values[channels - 1]! : alpha];
	};
	const [factors, offsets] = [spread(scale, 1), spread(bias, 0)];
	const present = (name: string, fallback: number): number[] =>
		Array.from(numbersOf(inputValue(shader, name)) ?? [fallback, fallback, fallback, fallback]);
	const [oldScale, oldBias] = [present('scale', 1), present('bias', 0)];
	const put = (name: string, numbers: number[]): void => {
		const value = makeValue(T.float4, Float32Array.from(numbers)) as Value;
		setAttribute(session, rule, session.stage.prim(path)!, `inputs:${name}`, value, { typeName: 'float4' });
	};
	put(
		'scale',
		factors.map((factor, c) => factor * oldScale[c]!),
	);
	put(
		'bias',
		offsets.map((offset, c) => offset * oldScale[c]! + oldBias[c]!),
	);
}

function setAsset(session: FixSession, rule: RepCode, prim: Path, name: string, assetPath: string): void {
	const value = makeValue(T.asset, assetPath) as Value;
	setAttribute(session, rule, session.stage.prim(prim)!, name, value, { typeName: 'asset' });
}

/** A path beside an image that no file has. */
function freePath(session: FixSession, { anchor }: ImageFile, assetPath: string, extension: string): string {
	const stem = assetPath.replace(/\.[^./]*$/, '');
	for (let i = 0; ; i++) {
		const path = `${stem}${i === 0 ? '' : i === 1 ? '_8bit' : `_8bit_${i}`}.${extension}`;
		if (session.readFile(session.placeOf(path, anchor)) === undefined) return path;
	}
}

/** Environments may be PNG, JPEG or Radiance HDR. */
function convertDome(session: FixSession, light: Prim): void {
	const rule = 'R3.2.6';
	const file = light.attribute('inputs:texture:file');
	const assetPath = dataOf(file.get(), T.asset) ?? '';
	const image = assetPath === '' ? undefined : readImage(session, file, assetPath);
	const info = image === undefined ? undefined : readImageInfo(image.bytes);
	if (image === undefined || info === undefined || !session.wants(rule) || info.format === 'hdr') return;
	if ((info.format === 'png' || info.format === 'jpeg') && (info.bitDepth ?? 8) <= 8) return;
	const fault = refusal(session, file, assetPath);
	const decoded = session.decodeImage(image.bytes);
	if (fault !== undefined || 'reason' in decoded) {
		const reason = fault ?? ('reason' in decoded ? `it ${decoded.reason}` : '');
		session.refuse(rule, `'${assetPath}' cannot be made a Radiance HDR image: ${reason}`, { prim: light });
		return;
	}
	const { raster } = decoded;
	const isFloat = raster.samples instanceof Float32Array;
	const format = readText(light, 'inputs:texture:format') ?? 'automatic';
	const path = freePath(session, image, assetPath, isFloat ? 'hdr' : 'png');
	const plain = { isSrgb: false, spreads: false };
	session.writeFile(rule, path, image.anchor, isFloat ? encodeHdr(raster) : encodePng(quantize(raster, plain).raster));
	session.note(
		rule,
		`'${assetPath}' was ${IMAGE_FORMAT_NAMES[info.format]} (projection ${format}), which keeps more digits`,
		{
			prim: light,
		},
	);
	setAsset(session, rule, light.path, 'inputs:texture:file', path);
}
