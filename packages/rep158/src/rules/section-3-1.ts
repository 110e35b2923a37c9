import { quote } from '@manyworlds/core';
import { type Prim, T } from '@manyworlds/usd';
import { dataOf, geomSubsets, shaderId, subsetFamilyType, unassignedIndices } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import type { MaterialNetwork } from '../shading/material-network.ts';
import { visualMaterials } from '../shading/visual-materials.ts';
import type { Statement } from './statement.ts';
import { checkRepetition, checkTiles, checkUnitSquare } from './texture-coordinates.ts';

/** REP 3.1: materials that every exporter understands. */
export const SECTION_3_1: readonly Statement[] = [
	{
		id: 'R3.1.1',
		section: '3.1',
		level: 'must',
		check: 'static',
		visit: checkSurfaces,
	},
	{ id: 'R3.1.2', section: '3.1', level: 'may', check: 'none' },
	{
		id: 'R3.1.3',
		section: '3.1',
		level: 'must not',
		check: 'static',
		visit: checkTerminals,
	},
	{
		id: 'R3.1.4',
		section: '3.1',
		level: 'should',
		check: 'static',
		visit: checkPurposes,
	},
	{ id: 'R3.1.5', section: '3.1', level: 'may', check: 'none' },
	{
		id: 'R3.1.6',
		section: '3.1',
		level: 'must not',
		check: 'static',
		visit: checkTiles,
	},
	{
		id: 'R3.1.7',
		section: '3.1',
		level: 'must',
		check: 'static',
		visit: checkUnitSquare,
	},
	{
		id: 'R3.1.8',
		section: '3.1',
		level: 'must',
		check: 'static',
		visit: checkSubsets,
	},
	{
		id: 'R3.1.9',
		section: '3.1',
		level: 'must',
		check: 'static',
		visit: checkRepetition,
	},
];

const PREVIEW_SURFACE = 'UsdPreviewSurface';

function checkSurfaces(context: CheckContext, report: Reporter): void {
	for (const network of visualMaterials(context)) {
		const { material, surface } = network;
		const output = material.attribute('outputs:surface');
		if (surface === undefined) {
			const place = output.isAuthored ? context.at(output) : context.at(material);
			const what = output.isAuthored ? 'leads to no shader' : 'is not connected';
			report.add(place, `outputs:surface of ${material.path} ${what}, expected a ${PREVIEW_SURFACE}`);
			continue;
		}
		if (shaderId(surface) === PREVIEW_SURFACE || isProprietary(surface)) continue;
		const id = shaderId(surface);
		const what = id === undefined ? 'a shader without info:id' : quote(id);
		report.add(
			shaderPlace(context, surface),
			`the surface of ${material.path} is ${what}, expected ${PREVIEW_SURFACE}`,
		);
	}
}

function checkTerminals(context: CheckContext, report: Reporter): void {
	for (const { material, surface } of visualMaterials(context)) {
		if (surface === undefined || !isProprietary(surface)) continue;
		const what = shaderId(surface) ?? 'a shader of one renderer';
		const message = `outputs:surface of ${material.path} is ${quote(what)}, expected ${PREVIEW_SURFACE} there and this one on a terminal of its own such as outputs:mdl:surface`;
		report.add(context.at(material.attribute('outputs:surface')), message);
	}
}

/** Whether a surface is a shader of MDL, OSL or MaterialX. */
export function isProprietary(shader: Prim): boolean {
	const source = dataOf(shader.attribute('info:implementationSource').get(), T.token);
	if (source === 'sourceAsset' || source === 'sourceCode') return true;
	const id = shaderId(shader);
	if (id !== undefined)
		return (
			/^(?:ND_|mdl|osl|Mtlx|Pxr|ai_|arnold:|standard_surface)/i.test(id) || id.endsWith('.mdl') || id.endsWith('.osl')
		);
	return shader.authoredPropertyNames().some((name) => /^info:(?:mdl|osl|glslfx):/.test(name));
}

function shaderPlace(context: CheckContext, shader: Prim): ReturnType<CheckContext['at']> {
	const id = shader.attribute('info:id');
	return id.isAuthored ? context.at(id) : context.at(shader);
}

/** A binding for one purpose that leads elsewhere than the one for all. */
function checkPurposes(context: CheckContext, report: Reporter): void {
	const isUsed = context.layers.some((layer) =>
		context.census(layer).links.entries.some(({ path }) => /^material:binding:(?:full|preview)$/.test(path.name)),
	);
	if (!isUsed) return;
	for (const prim of context.lists.all) {
		for (const purpose of ['full', 'preview']) {
			const relationship = prim.relationship(`material:binding:${purpose}`);
			if (!relationship.isAuthored) continue;
			const [target] = relationship.targets();
			const general = context.bindings.boundMaterial(prim)?.material.path;
			if (target === undefined || general === target) continue;
			const message = `the material for ${purpose} is ${target}, for other purposes ${general ?? 'none'}: expected one for all`;
			report.add(context.at(relationship), message);
		}
	}
}

const FAMILY = 'materialBind';

function checkSubsets(context: CheckContext, report: Reporter): void {
	for (const mesh of context.lists.meshes) {
		const bound = geomSubsets(mesh).filter(({ prim }) => prim.relationship('material:binding').hasAuthoredTargets);
		if (bound.length === 0) continue;
		for (const { prim, familyName } of bound) {
			if (familyName === FAMILY) continue;
			const attribute = prim.attribute('familyName');
			const place = attribute.isAuthored ? context.at(attribute) : context.at(prim);
			const what = familyName === '' ? 'has no familyName' : `has the familyName ${quote(familyName)}`;
			report.add(place, `the subset ${prim.path} has a material and ${what}, expected ${quote(FAMILY)}`);
		}
		const family = bound.filter(({ familyName }) => familyName === FAMILY);
		if (family.length > 0) checkFamily(context, report, mesh, family);
	}
}

function checkFamily(
	context: CheckContext,
	report: Reporter,
	mesh: Prim,
	family: readonly { readonly prim: Prim; readonly indices: Int32Array }[],
): void {
	const owner = new Map<number, Prim>();
	for (const { prim, indices } of family) {
		for (const face of indices) {
			const other = owner.get(face);
			if (other !== undefined) {
				const message = `face ${face} of ${mesh.path} is in the subsets ${other.name} and ${prim.name}, expected it in one`;
				report.add(context.at(prim.attribute('indices')), message);
				return;
			}
			owner.set(face, prim);
		}
	}
	const rest = unassignedIndices(mesh, 'face', FAMILY);
	if (rest.length > 0 && context.bindings.boundMaterial(mesh) === undefined) {
		const message = `${rest.length} faces of ${mesh.path} are in no subset and have no material, expected subsets that cover the mesh`;
		report.add(context.at(family[0]!.prim.attribute('indices')), message);
	}
	if (subsetFamilyType(mesh, FAMILY) === 'unrestricted') {
		const name = `subsetFamily:${FAMILY}:familyType`;
		const attribute = mesh.attribute(name);
		const place = attribute.isAuthored ? context.at(attribute) : context.at(mesh);
		report.add(place, `${name} of ${mesh.path} is unrestricted, expected partition or nonOverlapping`, {
			severity: 'warning',
		});
	}
}

/** Whether a network is that of a proprietary surface, whose shaders other rules leave alone. */
export function hasProprietarySurface({ surface }: MaterialNetwork): boolean {
	return surface !== undefined && isProprietary(surface);
}
