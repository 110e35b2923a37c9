import { quote } from '@manyworlds/core';
import type { Prim } from '@manyworlds/usd';
import { findPrimvar, inputValue, shaderId } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import { networkOf, visualMaterials } from '../shading/visual-materials.ts';
import { hasProprietarySurface } from './section-3-1.ts';
import type { Statement } from './statement.ts';

/** REP 3.3: textures are baked. */
export const SECTION_3_3: readonly Statement[] = [
	{
		id: 'R3.3.1',
		section: '3.3',
		level: 'must',
		check: 'static',
		visit: checkShaders,
	},
	{
		id: 'R3.3.2',
		section: '3.3',
		level: 'must',
		check: 'static',
		visit: checkImages,
	},
	{ id: 'R3.3.3', section: '3.3', level: 'should', check: 'static', visit: checkColours },
];

const ALLOWED = /^(?:UsdPreviewSurface|UsdUVTexture|UsdTransform2d|UsdPrimvarReader_\w+)$/;

function checkShaders(context: CheckContext, report: Reporter): void {
	for (const network of visualMaterials(context)) {
		if (hasProprietarySurface(network)) continue;
		for (const shader of network.shaders) {
			const id = shaderId(shader);
			// the surface is the business of R3.1.1, images that of R3.3.2
			if (shader.path === network.surface?.path || (id !== undefined && ALLOWED.test(id))) continue;
			if (network.textures.some((use) => use.shader.path === shader.path)) continue;
			const what = id === undefined ? 'a shader without info:id' : quote(id);
			const message = `${shader.path} is ${what}, expected UsdUVTexture, UsdPrimvarReader or UsdTransform2d: other nodes are baked into an image or primvar`;
			report.add(shaderPlace(context, shader), message);
		}
	}
}

function checkImages(context: CheckContext, report: Reporter): void {
	for (const network of visualMaterials(context)) {
		if (hasProprietarySurface(network)) continue;
		for (const { shader, assetPath } of network.textures) {
			const id = shaderId(shader);
			if (id === 'UsdUVTexture') continue;
			const what = id === undefined ? 'a shader without info:id' : quote(id);
			report.add(
				shaderPlace(context, shader),
				`the image ${quote(assetPath)} is read by ${what}, expected UsdUVTexture`,
			);
		}
	}
}

/** Colours in primvars: those that are shown without a material, and those that a material reads. */
function checkColours(context: CheckContext, report: Reporter): void {
	for (const mesh of context.lists.meshes) {
		for (const name of new Set(['displayColor', 'displayOpacity', ...colourReaders(context, mesh)])) {
			const primvar = findPrimvar(mesh, name);
			if (primvar === undefined || !primvar.hasAuthoredValue) continue;
			const { interpolation } = primvar;
			if (interpolation !== 'uniform' && interpolation !== 'faceVarying') continue;
			const message = `the interpolation of ${name} on ${mesh.path} is ${interpolation}, expected vertex: exporters have to split the mesh`;
			report.add(context.atField(primvar.attribute, 'interpolation'), message);
		}
	}
}

function colourReaders(context: CheckContext, mesh: Prim): string[] {
	const names: string[] = [];
	for (const shader of networkOf(context, mesh)?.shaders ?? []) {
		if (!/^UsdPrimvarReader_float[34]?$/.test(shaderId(shader) ?? '')) continue;
		const name = inputValue(shader, 'varname')?.data;
		if (typeof name === 'string') names.push(name);
	}
	return names;
}

function shaderPlace(context: CheckContext, shader: Prim): ReturnType<CheckContext['at']> {
	const id = shader.attribute('info:id');
	return id.isAuthored ? context.at(id) : context.at(shader);
}
