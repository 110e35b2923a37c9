import { UsageRangeError } from '@manyworlds/core';
import { hashText, PhiloxStream } from '@manyworlds/core/internal';
import { axisLength, axisValue, valueAt } from './distribution.ts';
import { permuteIndex } from './feistel.ts';
import type { ParameterValue, PlanParameter, SamplerSpec } from './parameter.ts';
import { SobolSequence, scrambleOwen } from './sobol.ts';

/** Points in the space of parameters; each can be drawn alone. */
export interface Sampler {
	/** Points; may be larger than what fits memory. */
	readonly count: number;
	/** Names of the parameters that it gives values to. */
	readonly names: readonly string[];
	/** Writes the values of a point to the entries of its parameters. */
	draw(point: number, out: Map<string, ParameterValue>): void;
}

/** The sampler of a plan. The plan was checked before: see `readPlan`. */
export function createSampler(spec: SamplerSpec, parameters: readonly PlanParameter[], seed: number): Sampler {
	switch (spec.kind) {
		case 'product':
			return productOf(ownersOf(spec, parameters).map(([part, own]) => createSampler(part, own, seed)));
		case 'list':
			return {
				count: spec.rows.length,
				names: Object.keys(spec.rows[0] ?? {}),
				draw: (point, out) => {
					for (const [name, value] of Object.entries(spec.rows[point]!)) out.set(name, value);
				},
			};
		case 'grid':
			return gridOf(chosen(spec.parameters, parameters));
		case 'random':
			return eachAlone(spec.count, chosen(spec.parameters, parameters), ({ name }) => {
				const stream = new PhiloxStream(seed, name);
				return (point) => stream.uniform(point);
			});
		case 'lhs':
			return eachAlone(spec.count, chosen(spec.parameters, parameters), ({ name }) => {
				const stream = new PhiloxStream(seed, name);
				const key = (stream.words(0, 1)[0]! ^ hashText(name)) >>> 0;
				const jitter = new PhiloxStream(seed, `${name} jitter`);
				return (point) => (permuteIndex(point, spec.count, key) + jitter.uniform(point)) / spec.count;
			});
		case 'sobol': {
			const own = chosen(spec.parameters, parameters);
			const sequence = new SobolSequence(own.length);
			return eachAlone(spec.count, own, ({ name }, dimension) => {
				if (spec.scramble === 'none') return (point) => sequence.at(point, dimension);
				const key = new PhiloxStream(seed, name).words(0, 2)[0]!;
				return (point) => (scrambleOwen(sequence.bits(point, dimension), key) + 0.5) * 2 ** -32;
			});
		}
	}
}

/** The parts of a product with their parameters: those that a part names, and for one part without names all others. */
export function ownersOf(
	spec: Extract<SamplerSpec, { kind: 'product' }>,
	parameters: readonly PlanParameter[],
): readonly (readonly [SamplerSpec, readonly PlanParameter[]])[] {
	const named = new Set(spec.of.flatMap((part) => namesOf(part) ?? []));
	const rest = parameters.filter(({ name }) => !named.has(name));
	return spec.of.map((part) => {
		const names = namesOf(part);
		return [part, names === undefined ? rest : parameters.filter(({ name }) => names.includes(name))] as const;
	});
}

/** Parameters that a sampler names; undefined for one that takes what is left. */
export function namesOf(spec: SamplerSpec): readonly string[] | undefined {
	if (spec.kind === 'list') return Object.keys(spec.rows[0] ?? {});
	if (spec.kind !== 'product') return spec.parameters;
	const parts = spec.of.map(namesOf);
	return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

function chosen(names: readonly string[] | undefined, parameters: readonly PlanParameter[]): readonly PlanParameter[] {
	return names === undefined ? parameters : parameters.filter(({ name }) => names.includes(name));
}

/** Every parameter has a coordinate of its own. */
function eachAlone(
	count: number,
	parameters: readonly PlanParameter[],
	coordinate: (parameter: PlanParameter, dimension: number) => (point: number) => number,
): Sampler {
	const coordinates = parameters.map(coordinate);
	return {
		count,
		names: parameters.map(({ name }) => name),
		draw: (point, out) => {
			for (const [i, { name, distribution }] of parameters.entries())
				out.set(name, valueAt(distribution, coordinates[i]!(point)));
		},
	};
}

/** All combinations, the last parameter running fastest. */
function gridOf(parameters: readonly PlanParameter[]): Sampler {
	const lengths = parameters.map(({ distribution }) => axisLength(distribution));
	const none = lengths.indexOf(0);
	if (none >= 0)
		throw new UsageRangeError(`parameter '${parameters[none]!.name}' has no values that a grid could take`);
	return {
		count: lengths.reduce((count, length) => count * length, 1),
		names: parameters.map(({ name }) => name),
		draw: (point, out) => {
			const steps = new Array<number>(lengths.length);
			let rest = point;
			for (let i = lengths.length - 1; i >= 0; i--) {
				steps[i] = rest % lengths[i]!;
				rest = Math.floor(rest / lengths[i]!);
			}
			for (const [i, { name, distribution }] of parameters.entries()) out.set(name, axisValue(distribution, steps[i]!));
		},
	};
}

/** All combinations of the points of samplers, the last running fastest. */
function productOf(parts: readonly Sampler[]): Sampler {
	return {
		count: parts.reduce((count, part) => count * part.count, 1),
		names: parts.flatMap(({ names }) => names),
		draw: (point, out) => {
			let rest = point;
			for (let i = parts.length - 1; i >= 0; i--) {
				const part = parts[i]!;
				part.draw(rest % part.count, out);
				rest = Math.floor(rest / part.count);
			}
		},
	};
}
