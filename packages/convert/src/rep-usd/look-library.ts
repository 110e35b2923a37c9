import { decodeImage, encodePng, quantize, readImageInfo } from '@manyworlds/image';
import { type AssetStore, Path, T } from '@manyworlds/usd';
import type { Look } from '../model/look.ts';
import type { LossCode } from '../model/loss-codes.ts';
import { fileName } from '../write/shape-meshes.ts';
import type { TargetFile } from '../write/target-files.ts';
import { UniqueNames } from '../write/unique-names.ts';
import { LayerBuilder } from './layer-builder.ts';
import { primName } from './prim-names.ts';

/** Layer of the looks of an asset. */
export const MATERIALS_FILE = './materials.usda';

const ROOT = Path.root.appendChild('materials');

/** Looks of an asset as UsdPreviewSurface materials, each once, with the images that they show (REP 3.1 to 3.3). */
export class LookLibrary {
	/** Images. */
	readonly files: TargetFile[] = [];
	readonly builder: LayerBuilder = new LayerBuilder(MATERIALS_FILE, ROOT.name, 'Looks.');
	readonly #store: AssetStore;
	readonly #names = new UniqueNames();
	readonly #imageNames = new UniqueNames();
	readonly #known = new Map<string, Path>();
	readonly #images = new Map<string, string | undefined>();

	constructor(store: AssetStore) {
		this.#store = store;
		this.builder.define(ROOT, 'Scope');
	}

	get isEmpty(): boolean {
		return this.#known.size === 0;
	}

	/** Path of a look in the layer; `hasUvs` says whether the surface has coordinates for an image. */
	pathOf(look: Look, hasUvs: boolean, tell: (code: LossCode, message: string) => void): Path {
		const image = look.texture === undefined || !hasUvs ? undefined : this.#image(look.texture, look.anchor, tell);
		const { color, opacity, metallic, roughness } = look;
		const key = JSON.stringify([look.name, color, opacity, metallic, roughness, image]);
		const known = this.#known.get(key);
		if (known !== undefined) return known;
		const path = ROOT.appendChild(this.#names.take(primName(look.name, 'material')));
		this.#known.set(key, path);
		this.#write(path, look, image);
		return path;
	}

	#write(path: Path, { color, opacity, metallic, roughness }: Look, image: string | undefined): void {
		const { builder } = this;
		builder.define(path, 'Material');
		const surface = builder.define(path.appendChild('surface'), 'Shader');
		builder.uniform(surface, 'info:id', T.token, 'UsdPreviewSurface');
		const input = (name: string, value: number): void =>
			builder.attribute(surface, `inputs:${name}`, T.float, Math.fround(Math.min(1, Math.max(0, value))));
		if (image === undefined) {
			const clamped = color.map((value) => Math.min(1, Math.max(0, value)));
			builder.attribute(surface, 'inputs:diffuseColor', T.float3, Float32Array.from(clamped), { typeName: 'color3f' });
		} else {
			const texture = this.#writeImage(path, image);
			builder.connection(surface, 'inputs:diffuseColor', 'color3f', texture.appendProperty('outputs:rgb'));
		}
		input('metallic', metallic);
		if (opacity < 1) input('opacity', opacity);
		input('roughness', roughness);
		const output = builder.output(surface, 'outputs:surface', 'token');
		builder.connection(path, 'outputs:surface', 'token', output);
	}

	#writeImage(material: Path, image: string): Path {
		const { builder } = this;
		const texture = builder.define(material.appendChild('texture'), 'Shader');
		const reader = builder.define(material.appendChild('st'), 'Shader');
		builder.uniform(texture, 'info:id', T.token, 'UsdUVTexture');
		builder.attribute(texture, 'inputs:file', T.asset, `./${image}`);
		builder.attribute(texture, 'inputs:sourceColorSpace', T.token, 'sRGB');
		builder.connection(texture, 'inputs:st', 'float2', reader.appendProperty('outputs:result'));
		builder.attribute(texture, 'inputs:wrapS', T.token, 'repeat');
		builder.attribute(texture, 'inputs:wrapT', T.token, 'repeat');
		builder.output(texture, 'outputs:rgb', 'float3');
		builder.uniform(reader, 'info:id', T.token, 'UsdPrimvarReader_float2');
		builder.attribute(reader, 'inputs:varname', T.string, 'st');
		builder.output(reader, 'outputs:result', 'float2');
		return texture;
	}

	/** Path of an image among the files; undefined when it cannot be had. */
	#image(address: string, anchor: string, tell: (code: LossCode, message: string) => void): string | undefined {
		const { identifier, refusal } = this.#store.identify(address, anchor);
		if (this.#images.has(identifier)) return this.#images.get(identifier);
		const bytes = refusal === undefined ? this.#store.bytes(identifier) : undefined;
		const stored = bytes instanceof Uint8Array ? storedImage(bytes) : undefined;
		if (stored === undefined) tell('texture-missing', `the image '${address}' is not there or cannot be read`);
		else if (stored.isNew) tell('texture-reencoded', `the image '${address}' is written as PNG with eight bits`);
		const name = fileName(address.split(/[/\\[\]]/).findLast((part) => part !== '') ?? 'image');
		const stem = this.#imageNames.take(name.replace(/\.[^.]*$/, ''));
		const path = stored === undefined ? undefined : `textures/${stem}.${stored.extension}`;
		if (path !== undefined) this.files.push({ path, content: stored!.content });
		this.#images.set(identifier, path);
		return path;
	}
}

/** An image as REP 3.2 wants it: PNG or JPEG with eight bits, as it is where it is one. */
function storedImage(
	bytes: Uint8Array,
): { readonly content: Uint8Array; readonly extension: string; readonly isNew: boolean } | undefined {
	const info = readImageInfo(bytes);
	if (info?.format === 'png' && (info.bitDepth ?? 8) <= 8) return { content: bytes, extension: 'png', isNew: false };
	if (info?.format === 'jpeg') return { content: bytes, extension: 'jpg', isNew: false };
	const decoded = decodeImage(bytes);
	if ('reason' in decoded) return undefined;
	// numbers that are light go onto the curve of screens, others are on it already
	const isSrgb = decoded.raster.samples instanceof Float32Array;
	const { raster } = quantize(decoded.raster, { isSrgb, spreads: false });
	return { content: encodePng(raster), extension: 'png', isNew: true };
}
