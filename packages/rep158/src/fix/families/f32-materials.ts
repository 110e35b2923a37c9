import { makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import {
	dataOf,
	type SpecSite,
	shaderId,
	terminalSource,
	translateToNode,
	valueProducers,
} from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import { hasProprietarySurface, isProprietary } from '../../rules/section-3-1.ts';
import { materialNetwork } from '../../shading/material-network.ts';
import { type NodeValue, nodeValue, sized, UnknownNode } from '../../shading/node-values.ts';
import { mdlName, PREVIEW_TYPES, surfaceInputs } from '../../shading/surface-inputs.ts';
import { isPhysicsOnly } from '../../shading/visual-materials.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { definingSite, propertySite, removeProperty } from '../engine/sites.ts';
import { connection, makeShader, PreviewWriter } from './f32/preview-surface.ts';

const PREVIEW = 'UsdPreviewSurface';
const ALLOWED = /^(?:UsdPreviewSurface|UsdUVTexture|UsdTransform2d|UsdPrimvarReader_\w+)$/;

/** F32: a UsdPreviewSurface for every renderer, derived from MDL or MaterialX, which go to terminals of their own. */
export const MATERIAL_SURFACES: Fixer = {
	family: 'F32',
	title: 'preview surfaces derived from other shading languages',
	rules: ['R3.1.1', 'R3.1.3', 'R3.1.4'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.typeName === 'Material' && !isPhysicsOnly(prim),
			(material) => deriveSurface(session, material),
		);
		eachPrim(
			session,
			(prim) => prim.authoredPropertyNames().some((name) => PURPOSES.includes(name)),
			(prim) => uniteBindings(session, prim),
		);
	},
};

/** F35: inputs of preview surfaces that nodes work out, as constants, textures or images of what they come to. */
export const BAKED_NODES: Fixer = {
	family: 'F35',
	title: 'shading nodes folded or baked into textures',
	rules: ['R3.3.1', 'R3.3.2'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.typeName === 'Material' && !isPhysicsOnly(prim),
			(material) => bakeNodes(session, material),
		);
	},
};

function deriveSurface(session: FixSession, material: Prim): void {
	const own = terminalSource(material, 'surface')?.shader;
	if (own !== undefined && shaderId(own) === PREVIEW) return;
	const rule: RepCode = own !== undefined && isProprietary(own) ? 'R3.1.3' : 'R3.1.1';
	if (!session.wants(rule)) return;
	const source =
		own ?? ['mtlx', 'mdl'].flatMap((context) => terminalSource(material, 'surface', [context])?.shader ?? [])[0];
	if (source === undefined) {
		session.refuse(rule, 'the material has no shader that a surface could be derived from', { prim: material });
		return;
	}
	const site = materialSite(session, material);
	const present = previewBelow(material);
	if (site === undefined) {
		session.refuse(rule, 'no layer that may be edited defines the material', { prim: material });
		return;
	}
	const at = site.path;
	let surface = present === undefined ? undefined : translateToNode(site.node.mapToRoot, present.path);
	if (surface === undefined) {
		surface = writeSurface(session, rule, material, source, site);
		if (surface === undefined) return;
	}
	connectTerminal(session, rule, material, site, surface, own === undefined ? undefined : contextOf(own));
	if (present !== undefined)
		session.note(rule, `its UsdPreviewSurface <${present.path}> was there and is connected now`, { prim: at });
}

/** Derives a surface; undefined, with the reason told, when it cannot be. */
function writeSurface(
	session: FixSession,
	rule: RepCode,
	material: Prim,
	source: Prim,
	site: SpecSite,
): Path | undefined {
	const writer = new PreviewWriter(session, rule, { layer: site.layer, material: site.path });
	try {
		const derived = surfaceInputs(source);
		if (derived === undefined) {
			const name = shaderId(source) ?? mdlName(source);
			const what = name === undefined ? 'a shader without a name' : `'${name}'`;
			throw new UnknownNode(`no translation of ${what} is known`);
		}
		writer.prepare(derived.inputs.values());
		const surface = freeShader(site, 'PreviewSurface');
		session.edit(rule, site.layer, () => {
			makeShader(site.layer, surface, PREVIEW, () => {});
			site.layer.createAttribute(surface.appendProperty('outputs:surface'), 'token');
		});
		const coat = derived.inputs.get('clearcoat');
		for (const [name, value] of derived.inputs) {
			// a coat that is not there has no roughness
			const isIdle = name === 'clearcoatRoughness' && coat !== undefined && isFallback('clearcoat', coat);
			if (!isIdle && !isFallback(name, value)) writer.write(surface, name, value);
		}
		if (derived.left.length > 0) {
			const message = `the preview surface lacks ${derived.left.join(', ')} of <${source.path}>, which have no counterpart`;
			session.note(rule, message, { prim: material });
		}
		return surface;
	} catch (error) {
		if (!(error instanceof UnknownNode)) throw error;
		session.refuse(rule, `no UsdPreviewSurface can be derived: ${error.message}`, { prim: material });
		return undefined;
	}
}

/** What inputs of UsdPreviewSurface are without a word. */
const FALLBACKS: Readonly<Record<string, number>> = {
	metallic: 0,
	clearcoat: 0,
	clearcoatRoughness: 0.01,
	opacity: 1,
	opacityThreshold: 0,
	ior: 1.5,
	occlusion: 1,
	displacement: 0,
	useSpecularWorkflow: 0,
	emissiveColor: 0,
	specularColor: 0,
};

function isFallback(name: string, value: NodeValue): boolean {
	return value.kind === 'constant' && value.numbers.every((x) => x === FALLBACKS[name]);
}

function freeShader({ layer, path }: SpecSite, wish: string): Path {
	let shader = path.appendChild(wish);
	for (let i = 2; layer.has(shader); i++) shader = path.appendChild(`${wish}_${i}`);
	return shader;
}

/** The spec that says what a material shows, or defines it. */
function materialSite(session: FixSession, material: Prim): SpecSite | undefined {
	const site = propertySite(session, material, 'outputs:surface') ?? definingSite(session, material);
	return site !== undefined && session.isEditable(site.layer) ? site : undefined;
}

/** A preview surface that belongs to a material and that nothing else is connected to. */
function previewBelow(material: Prim): Prim | undefined {
	const found = material.children().filter((child) => child.typeName === 'Shader' && shaderId(child) === PREVIEW);
	return found.length === 1 ? found[0] : undefined;
}

function contextOf(shader: Prim): string {
	const id = shaderId(shader);
	if (id?.startsWith('ND_')) return 'mtlx';
	if (shader.authoredPropertyNames().some((name) => name.startsWith('info:osl:')) || id?.endsWith('.osl')) return 'osl';
	return 'mdl';
}

/** Connects the terminal for all renderers, and keeps what was there on one of its own. */
function connectTerminal(
	session: FixSession,
	rule: RepCode,
	material: Prim,
	{ layer, path }: SpecSite,
	surface: Path,
	context: string | undefined,
): void {
	const terminal = path.appendProperty('outputs:surface');
	const old = dataOf(layer.field(terminal, 'connectionPaths'), T.pathListOp);
	const own = context === undefined ? undefined : path.appendProperty(`outputs:${context}:surface`);
	const isFree = context === undefined || material.attribute(`outputs:${context}:surface`).connections().length === 0;
	const output = surface.appendProperty('outputs:surface');
	session.edit(rule, layer, () => {
		if (own !== undefined && isFree && old !== undefined) {
			if (!layer.has(own)) layer.createAttribute(own, 'token');
			layer.setField(own, 'connectionPaths', makeValue(T.pathListOp, old) as Value);
		}
		if (!layer.has(terminal)) layer.createAttribute(terminal, 'token');
		layer.setField(terminal, 'connectionPaths', connection(output));
	});
}

const PURPOSES: readonly string[] = ['material:binding:full', 'material:binding:preview'];

/** One material for all purposes: where nothing is bound for all, that of one purpose is; where they differ, that for all stays. */
function uniteBindings(session: FixSession, prim: Prim): void {
	const rule = 'R3.1.4';
	if (!session.wants(rule)) return;
	const general = prim.relationship('material:binding').targets().join();
	for (const name of PURPOSES) {
		const targets = prim.relationship(name).targets().join();
		if (targets === '' || targets === general) continue;
		if (general === '') {
			const message = `${name} has <${targets}> and nothing is bound for all purposes; which material is meant there is not told`;
			session.refuse(rule, message, { prim });
			continue;
		}
		session.note(rule, `<${targets}> was bound by ${name}; <${general}> is for all purposes now`, { prim });
		removeProperty(session, rule, prim, name);
	}
}

/** Replaces what nodes give to the inputs of a preview surface. */
function bakeNodes(session: FixSession, material: Prim): void {
	const network = materialNetwork(material);
	const { surface } = network;
	if (surface === undefined || hasProprietarySurface(network) || shaderId(surface) !== PREVIEW) return;
	const strange = network.shaders.find((shader) => !ALLOWED.test(shaderId(shader) ?? ''));
	if (strange === undefined) return;
	const rule: RepCode = network.textures.some(({ shader }) => shader.path === strange.path) ? 'R3.3.2' : 'R3.3.1';
	if (!session.wants(rule)) return;
	const site = definingSite(session, surface);
	const parent = site === undefined ? undefined : translateToNode(site.node.mapToRoot, material.path);
	if (site === undefined || parent === undefined) {
		session.refuse(rule, 'no layer that may be edited defines its surface', { prim: material });
		return;
	}
	const writer = new PreviewWriter(session, rule, { layer: site.layer, material: parent });
	for (const name of surface.propertyNames()) {
		if (!name.startsWith('inputs:')) continue;
		const input = name.slice('inputs:'.length);
		const attribute = surface.attribute(name);
		const producers = valueProducers(attribute, { shaderOutputsOnly: true });
		if (!producers.some(({ prim }) => isStrange(prim))) continue;
		try {
			const found = nodeValue(attribute);
			const type = PREVIEW_TYPES[input];
			if (found === undefined || type === undefined) continue;
			const value = sized(found, type === 'color3f' || type === 'normal3f' ? 3 : 1);
			writer.prepare([value]);
			writer.write(site.path, input, value);
		} catch (error) {
			if (!(error instanceof UnknownNode)) throw error;
			session.refuse(rule, `${input} cannot be baked: ${error.message}`, { prim: material });
		}
	}
}

/** Whether a shader, or one that it takes its inputs from, is none that renderers of the profile know. */
function isStrange(shader: Prim): boolean {
	const seen = new Set<Path>();
	const stack = [shader];
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		if (seen.has(at.path)) continue;
		seen.add(at.path);
		if (!ALLOWED.test(shaderId(at) ?? '')) return true;
		for (const name of at.propertyNames()) {
			if (!name.startsWith('inputs:')) continue;
			stack.push(...valueProducers(at.attribute(name), { shaderOutputsOnly: true }).map(({ prim }) => prim));
		}
	}
	return false;
}
