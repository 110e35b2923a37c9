import { quote } from '@manyworlds/core';
import { type Path, PathKind } from '../sdf/path.ts';
import type { Value } from '../sdf/value.ts';
import type { Attribute } from '../usd/attribute.ts';
import type { Prim } from '../usd/prim.ts';
import { readText } from './read-values.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';

/** The input or output of another prim that a connection leads to. */
export interface ConnectionSource {
	readonly prim: Prim;
	readonly kind: 'input' | 'output';
	/** Its name without `inputs:` or `outputs:`. */
	readonly name: string;
	readonly attribute: Attribute;
}

/** Where a material gets one of its terminals from. */
export interface TerminalSource {
	readonly shader: Prim;
	readonly outputName: string;
}

/**
 * Whether a prim takes connections: shaders, node graphs, materials, lights.
 * @example
 * ```ts
 * const nodes = [...traverse(stage.pseudoRoot)].filter(isConnectable);
 * ```
 */
export function isConnectable(prim: Prim): boolean {
	return prim.isA('Shader') || isNodeGraph(prim) || prim.hasSchema('NodeDefAPI') || isLightLike(prim);
}

/**
 * Whether a prim holds other shading prims and passes on what they give: node graphs, materials.
 * @example
 * ```ts
 * const graphs = [...traverse(stage.pseudoRoot)].filter(isNodeGraph);
 * ```
 */
export function isNodeGraph(prim: Prim): boolean {
	return prim.isA('NodeGraph');
}

/** The identifier of a shader: `UsdPreviewSurface`. Undefined when it is found in another way. */
export function shaderId(prim: Prim): string | undefined {
	const source = readText(prim, 'info:implementationSource') ?? 'id';
	return source === 'id' ? readText(prim, 'info:id') : undefined;
}

/** What an input or output is connected to directly. Connections that lead nowhere are reported and left out. */
export function connectedSources(attribute: Attribute, options: ViewOptions = {}): ConnectionSource[] {
	const sources: ConnectionSource[] = [];
	for (const path of attribute.connections()) {
		const source = sourceAt(attribute, path);
		if (source !== undefined) sources.push(source);
		else {
			const message = `connection to ${quote(path.toString())} leads to no input or output`;
			reportFinding('VIEW003', attribute.prim, message, options, attribute.path);
		}
	}
	return sources;
}

/**
 * The attributes that an input or output gets its value from: through node graphs and connected inputs to outputs of
 * shaders, or to the last input that has a value of its own.
 */
export function valueProducers(
	attribute: Attribute,
	options: ViewOptions & { shaderOutputsOnly?: boolean } = {},
): Attribute[] {
	const found = new Map<Path, Attribute>();
	const visited = new Set<Path>();
	const stack: Attribute[] = [attribute];
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		if (visited.has(at.path)) {
			if (!found.has(at.path))
				reportFinding('VIEW003', at.prim, 'the connection goes round in a circle', options, at.path);
			continue;
		}
		visited.add(at.path);
		if (at.name.startsWith('outputs:') && !isNodeGraph(at.prim)) {
			found.set(at.path, at);
			continue;
		}
		const sources = connectedSources(at, options);
		for (let i = sources.length - 1; i >= 0; i--) stack.push(sources[i]!.attribute);
		if (sources.length === 0 && options.shaderOutputsOnly !== true && at.hasAuthoredValue) found.set(at.path, at);
	}
	return [...found.values()];
}

/** The value of an input, taken from where it is connected to; undefined when a shader computes it. */
export function inputValue(prim: Prim, name: string, options: ViewOptions = {}): Value | undefined {
	const input = prim.attribute(`inputs:${name}`);
	const [producer] = valueProducers(input, options);
	if (producer === undefined) return input.connections().length === 0 ? input.get(options.time) : undefined;
	return producer.name.startsWith('outputs:') ? undefined : producer.get(options.time);
}

/** The shader behind a terminal of a material: `surface`, `displacement`, `volume`, in the first render context that has one. */
export function terminalSource(
	material: Prim,
	terminal: string,
	renderContexts: readonly string[] = [],
	options: ViewOptions = {},
): TerminalSource | undefined {
	for (const context of [...renderContexts, '']) {
		const name = context === '' ? `outputs:${terminal}` : `outputs:${context}:${terminal}`;
		const output = material.attribute(name);
		if (!output.isDefined) continue;
		const [producer] = valueProducers(output, { ...options, shaderOutputsOnly: true });
		if (producer !== undefined) return { shader: producer.prim, outputName: producer.name.slice('outputs:'.length) };
	}
	return undefined;
}

/** The shader that gives a material its surface. */
export function surfaceShader(
	material: Prim,
	renderContexts: readonly string[] = [],
	options: ViewOptions = {},
): Prim | undefined {
	return terminalSource(material, 'surface', renderContexts, options)?.shader;
}

/**
 * A shader and every shader that its inputs come from, each once, itself first.
 * @example
 * ```ts
 * const ids = upstreamShaders(shader).map(shaderId);
 * ```
 */
export function upstreamShaders(shader: Prim, options: ViewOptions = {}): Prim[] {
	const found = new Map<Path, Prim>([[shader.path, shader]]);
	const queue = [shader];
	for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
		for (const input of shadingAttributes(at, 'inputs:')) {
			for (const { prim } of valueProducers(input, { ...options, shaderOutputsOnly: true })) {
				if (found.has(prim.path)) continue;
				found.set(prim.path, prim);
				queue.push(prim);
			}
		}
	}
	return [...found.values()];
}

/** The inputs (`inputs:`) or outputs (`outputs:`) of a prim. */
export function shadingAttributes(prim: Prim, namespace: 'inputs:' | 'outputs:'): Attribute[] {
	return prim
		.propertyNames()
		.filter((name) => name.startsWith(namespace))
		.map((name) => prim.attribute(name));
}

function sourceAt(attribute: Attribute, path: Path): ConnectionSource | undefined {
	if (path.kind !== PathKind.property) return undefined;
	const prim = attribute.prim.stage.prim(path.parent!);
	const { name } = path;
	const kind = name.startsWith('inputs:') ? 'input' : name.startsWith('outputs:') ? 'output' : undefined;
	if (prim === undefined || kind === undefined) return undefined;
	const source = prim.attribute(name);
	if (!source.isDefined) return undefined;
	return { prim, kind, name: name.slice(name.indexOf(':') + 1), attribute: source };
}

function isLightLike(prim: Prim): boolean {
	return prim.hasSchema('LightAPI') || prim.isA('LightFilter');
}
