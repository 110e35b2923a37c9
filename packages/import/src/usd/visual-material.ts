import type { Texture } from '@manyworlds/model';
import type { Attribute, Prim, Primvar } from '@manyworlds/usd';
import {
	connectedSources,
	findPrimvarWithInheritance,
	resolveAsset,
	shaderId,
	shadingAttributes,
	valueProducers,
} from '@manyworlds/usd/internal';
import type { ImportContext } from './context.ts';
import { asNumber, asNumbers, type PlainValue, plainValue } from './plain-value.ts';

/** How geometry looks. Colours are as displayed (sRGB), from 0 to 1. */
export interface VisualMaterial {
	readonly color?: readonly [number, number, number];
	readonly opacity?: number;
	readonly metallic?: number;
	readonly roughness?: number;
	readonly texture?: Texture;
}

type Draft = { -readonly [K in keyof VisualMaterial]: VisualMaterial[K] };

/** What geometry looks like that nothing is said about: the default diffuse colour of UsdPreviewSurface. */
export const NEUTRAL_COLOR: readonly [number, number, number] = toDisplay([0.18, 0.18, 0.18]);

const COLORS = ['diffuse_color_constant', 'diffuse_color', 'diffuseColor', 'base_color', 'baseColor', 'displayColor'];
const OPACITIES = ['opacity', 'alpha', 'displayOpacity', 'opacity_constant', 'alpha_constant'];
const METALLICS = ['metallic_constant', 'metallic'];
const ROUGHNESSES = ['reflection_roughness_constant', 'roughness_constant', 'roughness'];
/** Parts of names of inputs that hold the colour of a surface, not a normal or a roughness. */
const COLOR_WORDS = ['diffuse', 'albedo', 'basecolor', 'base_color', 'displaycolor'];

/** Looks that come from a shader: display colours fill in what it leaves open. */
const HAS_SHADER = new WeakSet<Draft>();

/** Reads materials and display colours of prims, each once. */
export class VisualMaterials {
	readonly #ctx: ImportContext;
	readonly #known = new Map<string, VisualMaterial>();
	readonly #ofMaterial = new Map<string, Draft | undefined>();

	constructor(ctx: ImportContext) {
		this.#ctx = ctx;
	}

	/** How a prim looks: by its bound material, else by a material of one of its subsets, else by display primvars. */
	of(prim: Prim): VisualMaterial {
		const path = prim.path.toString();
		let found = this.#known.get(path);
		if (found === undefined) {
			found = this.#resolve(prim);
			this.#known.set(path, found);
		}
		return found;
	}

	#resolve(prim: Prim): VisualMaterial {
		const own = this.#bound(prim);
		if (own !== undefined) return own;
		if (prim.isA('Mesh')) {
			let rest: VisualMaterial | undefined;
			for (const child of prim.children()) {
				const material = child.isA('GeomSubset') ? this.#bound(child) : undefined;
				if (material === undefined) continue;
				if (material.texture !== undefined || material.color !== undefined || material.opacity !== undefined)
					return material;
				rest ??= material;
			}
			if (rest !== undefined) return rest;
		}
		return displayProperties(prim);
	}

	#bound(prim: Prim): VisualMaterial | undefined {
		const material = this.#ctx.bindings.boundMaterial(prim)?.material;
		if (material === undefined) return undefined;
		const path = material.path.toString();
		this.#ctx.seenMaterials.add(path);
		if (!this.#ofMaterial.has(path)) this.#ofMaterial.set(path, this.#material(material));
		const found = this.#ofMaterial.get(path);
		if (found === undefined || !HAS_SHADER.has(found)) return found;
		const display = displayProperties(prim);
		const isColored = found.color !== undefined || found.texture !== undefined || display.color === undefined;
		return {
			...found,
			...(isColored ? {} : { color: display.color! }),
			...(found.opacity === undefined && display.opacity !== undefined ? { opacity: display.opacity } : {}),
		};
	}

	#material(material: Prim): Draft | undefined {
		const shader = surfaceOf(material);
		const inputs = materialInputs(this.#ctx, material);
		if (shader === undefined) return Object.keys(inputs).length > 0 ? inputs : undefined;
		const found = { ...inputs, ...this.#shader(shader) };
		HAS_SHADER.add(found);
		return found;
	}

	#shader(shader: Prim): Draft {
		const draft: Draft = shaderId(shader) === 'UsdPreviewSurface' ? this.#previewSurface(shader) : {};
		if (draft.color === undefined) {
			const [value, attribute] = firstValue(shader, COLORS);
			setColor(draft, value, attribute);
		}
		setIfKnown(draft, 'opacity', toOpacity(firstValue(shader, OPACITIES)[0]));
		setIfKnown(draft, 'metallic', asNumber(firstValue(shader, METALLICS)[0]));
		setIfKnown(draft, 'roughness', asNumber(firstValue(shader, ROUGHNESSES)[0]));
		if (draft.texture !== undefined) return draft;
		for (const input of shadingAttributes(shader, 'inputs:')) {
			const texture = this.#colorTexture(input);
			if (texture === undefined) continue;
			draft.texture = texture;
			break;
		}
		return draft;
	}

	#previewSurface(shader: Prim): Draft {
		const draft: Draft = {};
		const color = ['baseColor', 'diffuseColor']
			.map((name) => shader.attribute(`inputs:${name}`))
			.find(({ isAuthored }) => isAuthored);
		const source = color === undefined ? undefined : connectedSources(color)[0];
		if (source !== undefined) {
			const texture = textureOf(this.#ctx, source.prim);
			if (texture !== undefined) draft.texture = { ...texture, ...textureTransform(source.prim) };
			else {
				const [value, attribute] = firstValue(source.prim, COLORS);
				setColor(draft, value, attribute);
			}
		} else if (color !== undefined) {
			setColor(draft, readValue(color), color);
		}
		setIfKnown(draft, 'opacity', toOpacity(scalarInput(shader, ['opacity', 'alpha'], OPACITIES)));
		setIfKnown(draft, 'metallic', asNumber(scalarInput(shader, ['metallic'], METALLICS)));
		setIfKnown(draft, 'roughness', asNumber(scalarInput(shader, ['roughness'], ROUGHNESSES)));
		return draft;
	}

	/** The image behind an input for colour: of a connected texture, or an asset that the input itself names. */
	#colorTexture(input: Attribute): Texture | undefined {
		const name = input.name.split(':').at(-1)!.toLowerCase();
		if (!COLOR_WORDS.some((word) => name.includes(word))) return undefined;
		for (const producer of valueProducers(input)) {
			if (shaderId(producer.prim) !== 'UsdUVTexture') continue;
			// single channels are data, not colours
			if ((producer.valueType?.width ?? 1) < 3) continue;
			const texture = textureOf(this.#ctx, producer.prim);
			if (texture !== undefined) return texture;
		}
		return input.connections().length > 0 ? undefined : assetTexture(this.#ctx, input);
	}
}

/** The shader of a material's surface, in the usual or the MDL context; else the first shader below it. */
function surfaceOf(material: Prim): Prim | undefined {
	for (const name of ['outputs:surface', 'outputs:mdl:surface']) {
		const output = material.attribute(name);
		if (!output.isAuthored) continue;
		const source = connectedSources(output)[0];
		if (source !== undefined) return source.prim;
		break;
	}
	return material.children().find((child) => child.isA('Shader'));
}

/** The name of the primvar that the colour texture of a prim's material is laid by. */
export function textureCoordinateName(ctx: ImportContext, prim: Prim): string | undefined {
	for (const candidate of [prim, ...prim.children().filter((child) => child.isA('GeomSubset'))]) {
		const material = ctx.bindings.boundMaterial(candidate)?.material;
		const shader = material === undefined ? undefined : surfaceOf(material);
		if (shader === undefined) continue;
		if (shaderId(shader) === 'UsdPreviewSurface') {
			for (const name of ['baseColor', 'diffuseColor']) {
				const texture = connectedSources(shader.attribute(`inputs:${name}`))[0]?.prim;
				const found = texture !== undefined && shaderId(texture) === 'UsdUVTexture' ? readerName(texture) : undefined;
				if (found !== undefined) return found;
			}
		}
		const index = asNumber(readValue(shader.attribute('inputs:uv_space_index')));
		if (index !== undefined) return `st_${Math.trunc(index)}`;
	}
	return undefined;
}

function readerName(texture: Prim): string | undefined {
	let reader = connectedSources(texture.attribute('inputs:st'))[0]?.prim;
	if (reader !== undefined && shaderId(reader) === 'UsdTransform2d') {
		reader = connectedSources(reader.attribute('inputs:in'))[0]?.prim;
	}
	const name = reader === undefined ? undefined : firstValue(reader, ['varname'])[0];
	return typeof name === 'string' && name !== '' ? name : undefined;
}

function textureOf(ctx: ImportContext, shader: Prim): Texture | undefined {
	const id = shaderId(shader);
	if (id === 'UsdUVTexture') {
		const [producer] = valueProducers(shader.attribute('inputs:file'));
		return producer === undefined ? undefined : assetTexture(ctx, producer);
	}
	if (id !== 'UsdPreviewSurface') return undefined;
	for (const name of ['diffuseColor', 'baseColor']) {
		const source = connectedSources(shader.attribute(`inputs:${name}`))[0];
		const texture = source === undefined ? undefined : textureOf(ctx, source.prim);
		if (texture !== undefined) return texture;
	}
	return undefined;
}

function assetTexture(ctx: ImportContext, attribute: Attribute): Texture | undefined {
	const value = attribute.get();
	if (value === undefined || value.type.name !== 'asset' || value.data === '') return undefined;
	const { site } = attribute.resolveInfo('default');
	const authored = value.data as string;
	if (site === undefined) return { file: authored };
	const { resolved, evaluated } = resolveAsset(ctx.stage.store, authored, site.layer, site.node);
	return { file: resolved ?? evaluated ?? authored };
}

/** UsdTransform2d before a texture: scale, then turn, then move. */
function textureTransform(texture: Prim): { transform?: readonly number[] } {
	const source = connectedSources(texture.attribute('inputs:st'))[0]?.prim;
	if (source === undefined || shaderId(source) !== 'UsdTransform2d') return {};
	const pair = (name: string, fallback: number): number[] =>
		asNumbers(firstValue(source, [name])[0], 2) ?? [fallback, fallback];
	const scale = pair('scale', 1);
	const move = pair('translation', 0);
	const angle = ((asNumber(firstValue(source, ['rotation'])[0]) ?? 0) * Math.PI) / 180;
	const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
	return { transform: [cos * scale[0]!, -sin * scale[1]!, move[0]!, sin * scale[0]!, cos * scale[1]!, move[1]!] };
}

/** An input with one number: its own, or a constant of what it is connected to. */
function scalarInput(shader: Prim, own: readonly string[], connected: readonly string[]): PlainValue | undefined {
	const input = own.map((name) => shader.attribute(`inputs:${name}`)).find(({ isAuthored }) => isAuthored);
	if (input === undefined) return undefined;
	const source = connectedSources(input)[0];
	return source === undefined ? readValue(input) : firstValue(source.prim, connected)[0];
}

/** The first input of a shader that has a value, followed to where that comes from. */
function firstValue(shader: Prim, names: readonly string[]): [PlainValue | undefined, Attribute | undefined] {
	for (const name of names) {
		const input = shader.attribute(`inputs:${name}`);
		if (!input.isAuthored) continue;
		const [producer] = valueProducers(input);
		const value = producer === undefined ? undefined : readValue(producer);
		if (value !== undefined) return [value, producer];
	}
	return [undefined, undefined];
}

/** What a material says in inputs of its own. */
function materialInputs(ctx: ImportContext, material: Prim): Draft {
	const draft: Draft = {};
	for (const input of shadingAttributes(material, 'inputs:')) {
		if (input.connections().length > 0) continue;
		const value = readValue(input);
		if (value === undefined) continue;
		const name = input.name.split(':').at(-1)!.toLowerCase();
		if (draft.texture === undefined && (name.includes('texture') || name.includes('file'))) {
			const texture = assetTexture(ctx, input);
			if (texture !== undefined) draft.texture = texture;
		} else if (['diffusecolor', 'basecolor', 'diffuse_color', 'base_color', 'displaycolor'].includes(name)) {
			if (draft.color === undefined) setColor(draft, value, input);
		} else if (OPACITIES.map((item) => item.toLowerCase()).includes(name)) {
			setIfKnown(draft, 'opacity', toOpacity(value));
		} else if (METALLICS.includes(name)) {
			setIfKnown(draft, 'metallic', asNumber(value));
		} else if (ROUGHNESSES.includes(name)) {
			setIfKnown(draft, 'roughness', asNumber(value));
		}
	}
	return draft;
}

function displayProperties(prim: Prim): Draft {
	const draft: Draft = {};
	const color = findPrimvarWithInheritance(prim, 'displayColor');
	if (color !== undefined) setColor(draft, primvarValue(color), color.attribute, false);
	const opacity = findPrimvarWithInheritance(prim, 'displayOpacity');
	setIfKnown(draft, 'opacity', toOpacity(opacity === undefined ? undefined : primvarValue(opacity)));
	return draft;
}

function primvarValue(primvar: Primvar): PlainValue | undefined {
	const value = primvar.value();
	return value === undefined ? undefined : plainValue(value);
}

function readValue(attribute: Attribute): PlainValue | undefined {
	const value = attribute.get();
	return value === undefined ? undefined : plainValue(value);
}

function setIfKnown<K extends 'opacity' | 'metallic' | 'roughness'>(
	draft: Draft,
	key: K,
	value: number | undefined,
): void {
	if (draft[key] === undefined && value !== undefined) draft[key] = value;
}

/** Takes a colour; a fourth component is the opacity. */
function setColor(
	draft: Draft,
	value: PlainValue | undefined,
	attribute: Attribute | undefined,
	takesAlpha: boolean = true,
): void {
	// arrays have one entry per element: the first stands for all
	const first = Array.isArray(value) && Array.isArray(value[0]) ? value[0] : value;
	const numbers = asNumbers(first);
	if (numbers === undefined || numbers.length < 3) return;
	const color = [numbers[0]!, numbers[1]!, numbers[2]!] as const;
	draft.color = isLinear(attribute) ? toDisplay(color) : color;
	if (takesAlpha && numbers.length === 4) setIfKnown(draft, 'opacity', toOpacity(numbers[3]!));
}

function toOpacity(value: PlainValue | undefined): number | undefined {
	const number = Array.isArray(value) ? asNumber(value[0]) : asNumber(value);
	return number === undefined || !Number.isFinite(number) ? undefined : Math.min(1, Math.max(0, number));
}

/** Whether a colour is in a linear space: when nothing says otherwise it is. */
function isLinear(attribute: Attribute | undefined): boolean {
	const space = attribute === undefined ? '' : colorSpaceOf(attribute);
	const token = space.trim().toLowerCase();
	return token === '' || ['identity', 'raw', 'data', 'linear'].includes(token) || token.startsWith('lin_');
}

/** The colour space of an attribute: its own, else that of the nearest prim with ColorSpaceAPI. */
function colorSpaceOf(attribute: Attribute): string {
	const own = attribute.metadata('colorSpace')?.data;
	if (typeof own === 'string' && own !== '') return own;
	for (let at: Prim | undefined = attribute.prim; at !== undefined; at = at.parent) {
		const name = at.hasSchema('ColorSpaceAPI') ? at.attribute('colorSpace:name').get()?.data : undefined;
		if (typeof name === 'string' && name !== '') return name;
	}
	return '';
}

/** Linear light as the numbers that displays take (sRGB, IEC 61966-2-1). */
function toDisplay(color: readonly [number, number, number]): readonly [number, number, number] {
	return [channelToDisplay(color[0]), channelToDisplay(color[1]), channelToDisplay(color[2])];
}

function channelToDisplay(value: number): number {
	const light = Math.max(0, value);
	return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}
