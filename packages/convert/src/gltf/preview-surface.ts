import { cosine, sine } from '@manyworlds/core/internal';
import type { Attribute, Prim } from '@manyworlds/usd';
import { inputValue, resolveAsset, shaderId, terminalSource, valueProducers } from '@manyworlds/usd/internal';
import { EARLIEST, numbersIn, textIn } from './stage-values.ts';

/** An image that a surface reads, with all that is done to it. */
export interface ImageInput {
	/** Identifier of the file; undefined when there is none. */
	readonly file: string | undefined;
	/** As authored. */
	readonly address: string;
	/** Channels that it gives: 0 to 3. */
	readonly channels: readonly number[];
	readonly space: 'auto' | 'raw' | 'sRGB';
	readonly scale: readonly number[];
	readonly bias: readonly number[];
	/** Whether scale or bias is authored. */
	readonly isScaled: boolean;
	readonly wrap: readonly [string, string];
	/** What it gives without a file. */
	readonly fallback: readonly number[];
	/** Primvar that it is read at; undefined for `at` everywhere. */
	readonly primvar: string | undefined;
	/** Where it is read when the mesh has no such primvar. */
	readonly at: readonly [number, number];
	/** Moves the coordinates, v up: 2 × 3, row by row. */
	readonly matrix: readonly number[];
	/** The parts of the matrix where it is one `UsdTransform2d`: scale, then turned by an angle [rad], then moved. */
	readonly turn:
		| { readonly scale: readonly number[]; readonly angle: number; readonly offset: readonly number[] }
		| undefined;
}

/** What an input of a surface is worth. */
export type SurfaceInput =
	| { readonly kind: 'constant'; readonly numbers: readonly number[] }
	| { readonly kind: 'image'; readonly image: ImageInput }
	| { readonly kind: 'primvar'; readonly name: string; readonly fallback: readonly number[] | undefined };

/** A surface that every renderer of USD draws, or why it is none. */
export type PreviewSurface =
	| {
			readonly inputs: ReadonlyMap<string, SurfaceInput>;
			readonly opacityMode: string;
			readonly problems: readonly string[];
	  }
	| { readonly why: string };

const INPUTS = [
	'diffuseColor',
	'emissiveColor',
	'useSpecularWorkflow',
	'specularColor',
	'metallic',
	'roughness',
	'clearcoat',
	'clearcoatRoughness',
	'opacity',
	'opacityThreshold',
	'ior',
	'normal',
	'displacement',
	'occlusion',
] as const;

/** Reads the `UsdPreviewSurface` of a material, through node graphs. */
export function readPreviewSurface(material: Prim): PreviewSurface {
	const surface = terminalSource(material, 'surface')?.shader;
	if (surface === undefined) return { why: 'has no surface' };
	const id = shaderId(surface);
	if (id !== 'UsdPreviewSurface') return { why: `has a surface '${id ?? ''}', which is no UsdPreviewSurface` };
	const inputs = new Map<string, SurfaceInput>();
	const problems: string[] = [];
	for (const name of INPUTS) {
		const input = readInput(surface.attribute(`inputs:${name}`), name, problems);
		if (input !== undefined) inputs.set(name, input);
	}
	return { inputs, opacityMode: textIn(inputValue(surface, 'opacityMode')) ?? 'transparent', problems };
}

function readInput(attribute: Attribute, name: string, problems: string[]): SurfaceInput | undefined {
	const [producer] = valueProducers(attribute);
	if (producer === undefined) return undefined;
	if (!producer.name.startsWith('outputs:')) {
		const numbers = numbersIn(producer.get(EARLIEST));
		return numbers === undefined ? undefined : { kind: 'constant', numbers: Array.from(numbers) };
	}
	const id = shaderId(producer.prim) ?? '';
	if (id === 'UsdUVTexture') {
		const channels = { r: [0], g: [1], b: [2], a: [3], rgb: [0, 1, 2], rgba: [0, 1, 2, 3] }[producer.name.slice(8)];
		return { kind: 'image', image: readImage(producer.prim, channels ?? [0, 1, 2]) };
	}
	if (id.startsWith('UsdPrimvarReader')) {
		const fallback = numbersIn(inputValue(producer.prim, 'fallback'));
		const primvar = textIn(inputValue(producer.prim, 'varname')) ?? '';
		return { kind: 'primvar', name: primvar, fallback: fallback === undefined ? undefined : Array.from(fallback) };
	}
	problems.push(`${name} comes from '${id}', which is not evaluated`);
	return undefined;
}

function readImage(shader: Prim, channels: readonly number[]): ImageInput {
	const list = (name: string, fallback: readonly number[]): readonly number[] => {
		const numbers = numbersIn(inputValue(shader, name));
		return numbers === undefined ? fallback : Array.from(numbers);
	};
	const space = textIn(inputValue(shader, 'sourceColorSpace'));
	const wrap = (name: string): string => textIn(inputValue(shader, name)) ?? 'useMetadata';
	const isAuthored = (name: string): boolean => shader.attribute(`inputs:${name}`).hasAuthoredValue;
	return {
		...fileOf(shader),
		...coordinatesOf(shader),
		channels,
		space: space === 'raw' || space === 'sRGB' ? space : 'auto',
		scale: list('scale', [1, 1, 1, 1]),
		bias: list('bias', [0, 0, 0, 0]),
		isScaled: isAuthored('scale') || isAuthored('bias'),
		wrap: [wrap('wrapS'), wrap('wrapT')],
		fallback: list('fallback', [0, 0, 0, 1]),
	};
}

function fileOf(shader: Prim): { file: string | undefined; address: string } {
	const [attribute] = valueProducers(shader.attribute('inputs:file'));
	const address = textIn(attribute?.get(EARLIEST)) ?? '';
	const site = attribute?.resolveInfo().site;
	if (address === '' || site === undefined) return { file: undefined, address };
	const { store } = shader.stage;
	const { evaluated } = resolveAsset(store, address, site.layer, site.node);
	const { identifier, refusal } = store.identify(evaluated ?? address, site.layer.identifier);
	return { file: refusal === undefined ? identifier : undefined, address };
}

const IDENTITY = [1, 0, 0, 0, 1, 0] as const;

/** Where an image is read: through transforms to a primvar. */
function coordinatesOf(shader: Prim): Pick<ImageInput, 'primvar' | 'at' | 'matrix' | 'turn'> {
	let matrix: readonly number[] = IDENTITY;
	let turn: ImageInput['turn'];
	let input = shader.attribute('inputs:st');
	let at: readonly [number, number] = [0, 0];
	let count = 0;
	for (let depth = 0; depth < 8; depth++) {
		const [producer] = valueProducers(input);
		if (producer === undefined) break;
		if (!producer.name.startsWith('outputs:')) {
			const numbers = numbersIn(producer.get(EARLIEST));
			if (numbers !== undefined && numbers.length >= 2) at = [numbers[0]!, numbers[1]!];
			break;
		}
		const id = shaderId(producer.prim) ?? '';
		if (id === 'UsdTransform2d') {
			const list = (name: string, fallback: readonly number[]): number[] =>
				Array.from(numbersIn(inputValue(producer.prim, name)) ?? fallback);
			const scale = list('scale', [1, 1]);
			const angle = (list('rotation', [0])[0]! * Math.PI) / 180;
			const offset = list('translation', [0, 0]);
			const [c, s] = [cosine(angle), sine(angle)];
			const own = [c * scale[0]!, -s * scale[1]!, offset[0]!, s * scale[0]!, c * scale[1]!, offset[1]!];
			matrix = matrixProduct(matrix, own);
			turn = ++count === 1 ? { scale, angle, offset } : undefined;
			input = producer.prim.attribute('inputs:in');
			continue;
		}
		if (id.startsWith('UsdPrimvarReader')) {
			const fallback = numbersIn(inputValue(producer.prim, 'fallback'));
			if (fallback !== undefined && fallback.length >= 2) at = [fallback[0]!, fallback[1]!];
			return { primvar: textIn(inputValue(producer.prim, 'varname')) ?? 'st', at, matrix, turn };
		}
		break;
	}
	return { primvar: undefined, at, matrix, turn };
}

/** The matrix that applies `b`, then `a`; both 2 × 3. */
function matrixProduct(a: readonly number[], b: readonly number[]): number[] {
	const row = (i: number): number[] => [
		a[i]! * b[0]! + a[i + 1]! * b[3]!,
		a[i]! * b[1]! + a[i + 1]! * b[4]!,
		a[i]! * b[2]! + a[i + 1]! * b[5]! + a[i + 2]!,
	];
	return [...row(0), ...row(3)];
}
