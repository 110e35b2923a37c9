import {
	type ArrayEdit,
	Layer,
	makeValue,
	type Spline,
	type SplineKnot,
	T,
	type Value,
	type ValueType,
} from '@manyworlds/usd';
import { EMPTY_DICTIONARY, makeTimeSamples } from '@manyworlds/usd/internal';

/** A layer with what moves: time samples that share times, splines, blocks and array edits. */
export function animationLayer(): Layer {
	const layer = Layer.create('animation.usda');
	const times = Float64Array.from({ length: 24 }, (_, i) => i);
	for (let i = 0; i < 8; i++) {
		const joint = `/Arm/joint_${i}`;
		layer.createPrim(joint, { specifier: 'def', typeName: 'Xform' });
		layer.createAttribute(`${joint}.xformOp:translate`, 'double3');
		const values = Array.from(times, (t) => makeValue(T.double3, Float64Array.of(t, i, t * i)) as Value);
		layer.setField(
			`${joint}.xformOp:translate`,
			'timeSamples',
			makeValue(T.timeSamples, makeTimeSamples(times, values)) as Value,
		);
		layer.createAttribute(`${joint}.angle`, 'double');
		layer.setField(`${joint}.angle`, 'default', makeValue(T.animationBlock, null) as Value);
		layer.setField(`${joint}.angle`, 'spline', makeValue(T.spline, spline(i)) as Value);
		layer.createAttribute(`${joint}.weights`, 'int[]');
		layer.setField(`${joint}.weights`, 'default', makeValue(T.arrayEdit, arrayEdit(i)) as Value);
	}
	return layer;
}

function spline(variation: number): Spline {
	const tangent = { width: 0.5, slope: variation, algorithm: 'none' } as const;
	const knots = Array.from({ length: 5 }, (_, i): SplineKnot => {
		const interpolation = (['curve', 'linear', 'held', 'none'] as const)[(i + variation) % 4]!;
		const knot = {
			time: i * 10,
			value: i / 4,
			interpolation,
			pre: tangent,
			post: tangent,
			customData: EMPTY_DICTIONARY,
		};
		return i % 2 === 0 ? knot : { ...knot, preValue: -i };
	});
	const loop = { protoStart: 0, protoEnd: 20, preLoopCount: 1, postLoopCount: 2, valueOffset: 0.5 };
	const base = { valueType: 'double', curve: 'bezier', timeValued: false, knots } as const;
	return variation % 2 === 0
		? { ...base, pre: { mode: 'held' }, post: { mode: 'sloped', slope: 0.25 } }
		: { ...base, pre: { mode: 'linear' }, post: { mode: 'held' }, loop };
}

function arrayEdit(variation: number): ArrayEdit {
	const literal = { literal: makeValue(T.int, variation) as Value };
	return {
		arrayType: T.int.array as ValueType,
		instructions: [
			{ op: 'append', source: literal },
			{ op: 'write', source: literal, index: 0 },
			{ op: 'insert', source: { index: -1 }, index: 1 },
			{ op: 'erase', index: -1 },
			{ op: 'minSize', size: 3 },
		],
	};
}
