import { quote } from '@manyworlds/core';
import { type Prim, type Primvar, T, type Value } from '@manyworlds/usd';
import { dataOf, geomSubsets, inputValue, shaderId, valueProducers } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { type CoordinateFacts, coordinateFacts, coordinatePrimvars } from '../geometry/texture-coordinates.ts';
import type { Reporter } from '../reporter.ts';
import type { TextureUse } from '../shading/material-network.ts';
import { networkOf, visualMaterials } from '../shading/visual-materials.ts';

const TILE_TOKEN = /<UDIM>|<UVTILE\d?>|%\(UDIM\)d/i;
/** A number of a UDIM tile as a part of a file name. */
const TILE_NUMBER = /[._]1[0-9]{3}[._]/;

/** R3.1.6: tokens of tiled textures, or tiled files on meshes that are laid out in tiles. */
export function checkTiles(context: CheckContext, report: Reporter): void {
	for (const { textures } of visualMaterials(context)) {
		for (const { file, assetPath } of textures) {
			if (!TILE_TOKEN.test(assetPath)) continue;
			report.add(
				context.at(file),
				`the texture ${quote(assetPath)} is tiled (UDIM), expected one image with coordinates from 0 to 1`,
			);
		}
	}
	for (const use of coordinateUses(context)) {
		if (!use.facts.isTiled) continue;
		for (const { file, assetPath } of use.textures) {
			if (TILE_TOKEN.test(assetPath) || !TILE_NUMBER.test(assetPath)) continue;
			const message = `${quote(assetPath)} is one tile of several, and the coordinates of ${use.mesh.path} lie in tiles up to (${use.facts.max.map(shown).join(', ')}): expected one image with coordinates from 0 to 1`;
			report.add(context.at(file), message);
		}
	}
}

/** R3.1.7: coordinates outside of the unit square that no repeating texture explains. */
export function checkUnitSquare(context: CheckContext, report: Reporter): void {
	for (const { mesh, primvar, facts, textures } of coordinateUses(context)) {
		if (isUnit(facts, context.thresholds.uv) || textures.some(({ assetPath }) => isTileFile(assetPath, facts)))
			continue;
		if (textures.length > 0 && !facts.isTiled) continue;
		const range = `(${facts.min.map(shown).join(', ')}) to (${facts.max.map(shown).join(', ')})`;
		const message = `the texture coordinates ${primvar.name} of ${mesh.path} go from ${range}, expected 0 to 1`;
		report.add(context.at(primvar.attribute), message);
	}
}

/** R3.1.9: coordinates outside of the unit square on a texture that does not repeat. */
export function checkRepetition(context: CheckContext, report: Reporter): void {
	for (const { mesh, facts, textures } of coordinateUses(context)) {
		if (facts.isTiled) continue;
		for (const { shader, assetPath } of textures) {
			if (isTileFile(assetPath, facts)) continue;
			const read = transformed(shader, facts);
			const name = wrapFault(shader, read, context.thresholds.uv);
			if (name === undefined) continue;
			const attribute = shader.attribute(`inputs:${name}`);
			const value = inputText(inputValue(shader, name)) ?? 'useMetadata';
			const message = `${name} of ${shader.path} is ${value}, but the coordinates of ${mesh.path} are read up to (${read.max.map(shown).join(', ')}): expected repeat or mirror`;
			report.add(attribute.isAuthored ? context.at(attribute) : context.at(shader), message);
		}
	}
}

interface CoordinateUse {
	readonly mesh: Prim;
	readonly primvar: Primvar;
	readonly facts: CoordinateFacts;
	/** Textures that are read at these coordinates. */
	readonly textures: readonly TextureUse[];
}

/** The sets of texture coordinates of all meshes, with what they are used for; made once for all rules. */
function coordinateUses(context: CheckContext): readonly CoordinateUse[] {
	let found = USES.get(context);
	if (found === undefined) {
		found = [];
		for (const mesh of context.lists.meshes) {
			for (const primvar of coordinatePrimvars(mesh)) {
				const facts = coordinateFacts(mesh, primvar, context.thresholds.uv);
				if (facts === undefined) continue;
				found.push({
					mesh,
					primvar,
					facts,
					textures: texturesAt(context, mesh, primvar),
				});
			}
		}
		USES.set(context, found);
	}
	return found;
}

const USES = new WeakMap<CheckContext, CoordinateUse[]>();

/** Textures on a mesh or its subsets that read a primvar. */
function texturesAt(context: CheckContext, mesh: Prim, primvar: Primvar): TextureUse[] {
	const users = [mesh, ...geomSubsets(mesh).map(({ prim }) => prim)];
	const found = new Map<string, TextureUse>();
	for (const user of users) {
		for (const use of networkOf(context, user)?.textures ?? []) {
			if (coordinateName(use.shader) === primvar.name) found.set(use.file.path.toString(), use);
		}
	}
	return [...found.values()];
}

/** The shaders that coordinates pass on their way to a texture, the texture first. */
function coordinateChain(texture: Prim): Prim[] {
	const chain = new Map<Prim['path'], Prim>();
	for (let shader: Prim | undefined = texture; shader !== undefined && !chain.has(shader.path); ) {
		chain.set(shader.path, shader);
		const input: string = shaderId(shader) === 'UsdTransform2d' ? 'inputs:in' : 'inputs:st';
		shader = valueProducers(shader.attribute(input), { shaderOutputsOnly: true })[0]?.prim;
	}
	return [...chain.values()];
}

/** The primvar that a texture is read at; `st` when nothing is connected. */
export function coordinateName(texture: Prim): string {
	const reader = coordinateChain(texture).find((shader) => shaderId(shader)?.startsWith('UsdPrimvarReader') === true);
	return (reader && inputText(inputValue(reader, 'varname'))) ?? 'st';
}

/** Where a texture is read, after the transforms between the coordinates of a mesh and it. */
export function transformed(texture: Prim, { min, max, isTiled }: CoordinateFacts): CoordinateFacts {
	let corners: [number, number][] = [
		[min[0], min[1]],
		[max[0], min[1]],
		[min[0], max[1]],
		[max[0], max[1]],
	];
	const transforms = coordinateChain(texture).filter((shader) => shaderId(shader) === 'UsdTransform2d');
	for (const shader of transforms.reverse()) {
		const pair = (name: string, fallback: number): [number, number] => {
			const data = inputValue(shader, name)?.data as Float32Array | undefined;
			return ArrayBuffer.isView(data) && data.length === 2 ? [data[0]!, data[1]!] : [fallback, fallback];
		};
		const [scaleX, scaleY] = pair('scale', 1);
		const [x, y] = pair('translation', 0);
		const degrees = inputValue(shader, 'rotation')?.data;
		const angle = typeof degrees === 'number' ? (degrees * Math.PI) / 180 : 0;
		const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
		corners = corners.map(([u, v]) => [
			u * scaleX * cosine - v * scaleY * sine + x,
			u * scaleX * sine + v * scaleY * cosine + y,
		]);
	}
	const ends = (axis: 0 | 1): number[] => corners.map((corner) => corner[axis]);
	return {
		min: [Math.min(...ends(0)), Math.min(...ends(1))],
		max: [Math.max(...ends(0)), Math.max(...ends(1))],
		isTiled,
	};
}

/** The direction in which a texture is left and does not repeat. */
function wrapFault(shader: Prim, { min, max }: CoordinateFacts, tolerance: number): 'wrapS' | 'wrapT' | undefined {
	for (const [axis, name] of [
		[0, 'wrapS'],
		[1, 'wrapT'],
	] as const) {
		if (min[axis] >= -tolerance && max[axis] <= 1 + tolerance) continue;
		const wrap = inputText(inputValue(shader, name));
		if (wrap !== 'repeat' && wrap !== 'mirror') return name;
	}
	return undefined;
}

function isUnit({ min, max }: CoordinateFacts, tolerance: number): boolean {
	return min[0] >= -tolerance && min[1] >= -tolerance && max[0] <= 1 + tolerance && max[1] <= 1 + tolerance;
}

/** Whether R3.1.6 reports a texture. */
function isTileFile(assetPath: string, { isTiled }: CoordinateFacts): boolean {
	return TILE_TOKEN.test(assetPath) || (isTiled && TILE_NUMBER.test(assetPath));
}

function inputText(value: Value | undefined): string | undefined {
	return dataOf(value, T.token) ?? dataOf(value, T.string);
}

function shown(value: number): string {
	return String(Math.round(value * 1e4) / 1e4);
}
