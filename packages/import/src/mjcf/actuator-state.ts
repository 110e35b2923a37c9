import type { MjcfElement, MjcfValue } from '@manyworlds/formats';
import { readNumbers } from '@manyworlds/formats/internal';
import { parseMujocoToken } from '@manyworlds/model/internal';
import { Attributes } from './attributes.ts';
import type { MjcfContext } from './context.ts';

/** Kinds of actuators that are supported. */
const KINDS: readonly string[] = [
	...['general', 'motor', 'position', 'velocity', 'intvelocity', 'damper', 'cylinder', 'muscle', 'adhesion'],
];

const DYN = { NONE: 0, INTEGRATOR: 1, FILTER: 2, FILTER_EXACT: 3, MUSCLE: 4 } as const;
const GAIN = { FIXED: 0, AFFINE: 1, MUSCLE: 2 } as const;
const BIAS = { NONE: 0, AFFINE: 1, MUSCLE: 2 } as const;

/**
 * An actuator as MuJoCo's compiler builds it up: all kinds of actuators share one set of defaults, so each default element
 * of the classes, then the element itself, changes what was there before. Reading and the change that the kind stands for
 * happen element by element.
 */
export class ActuatorState {
	readonly gain: Float64Array = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	readonly bias: Float64Array = new Float64Array(10);
	readonly dynamics: Float64Array = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	gainType: number = GAIN.FIXED;
	biasType: number = BIAS.NONE;
	dynamicsType: number = DYN.NONE;
	/** Kinds that have no meaning without a control range switch it on. */
	isControlLimited = false;
	readonly values: Map<string, MjcfValue> = new Map();

	/** Whether an element of this name can be followed. */
	static supports(kind: string): boolean {
		return KINDS.includes(kind);
	}

	/** Applies an element and reports what is wrong with it. */
	apply(context: MjcfContext, element: MjcfElement, fromClass?: string): void {
		if (!ActuatorState.supports(element.name)) return;
		const own = new Map<string, MjcfValue>();
		for (const attribute of element.attributes) {
			const value = {
				text: attribute.value,
				attribute,
				element,
				...(fromClass === undefined ? {} : { fromClass }),
			};
			own.set(attribute.name, value);
			this.values.set(attribute.name, value);
		}
		const attributes = new Attributes(context, element, own);
		LAWS[element.name]!(this, attributes);
	}
}

type Law = (state: ActuatorState, attributes: Attributes) => void;

const LAWS: Readonly<Record<string, Law>> = {
	general(state, attributes) {
		state.gainType = token(attributes, 'gaintype', state.gainType);
		state.biasType = token(attributes, 'biastype', state.biasType);
		state.dynamicsType = token(attributes, 'dyntype', state.dynamicsType);
		fill(state.gain, attributes, 'gainprm');
		fill(state.bias, attributes, 'biasprm');
		fill(state.dynamics, attributes, 'dynprm');
	},
	motor(state) {
		state.gain[0] = 1;
		types(state, DYN.NONE, GAIN.FIXED, BIAS.NONE);
	},
	position: servo,
	intvelocity(state, attributes) {
		servo(state, attributes);
		state.dynamicsType = DYN.INTEGRATOR;
	},
	velocity(state, attributes) {
		const kv = attributes.number('kv', state.gain[0]!);
		state.bias.fill(0);
		state.gain[0] = kv;
		state.bias[2] = -kv;
		types(state, DYN.NONE, GAIN.FIXED, BIAS.AFFINE);
	},
	damper(state, attributes) {
		const kv = attributes.number('kv', state.gainType === GAIN.AFFINE ? -state.gain[2]! : 0);
		state.gain.fill(0);
		state.gain[2] = -kv;
		state.isControlLimited = true;
		types(state, DYN.NONE, GAIN.AFFINE, BIAS.NONE);
	},
	cylinder(state, attributes) {
		state.dynamics[0] = attributes.number('timeconst', state.dynamics[0]!);
		fill(state.bias, attributes, 'bias');
		state.gain[0] = attributes.number('area', state.gain[0]!);
		const diameter = attributes.number('diameter', -1);
		if (diameter >= 0) state.gain[0] = (Math.PI / 4) * diameter * diameter;
		types(state, DYN.FILTER, GAIN.FIXED, BIAS.AFFINE);
	},
	muscle,
	adhesion(state, attributes) {
		state.gain[0] = attributes.number('gain', state.gain[0]!);
		state.isControlLimited = true;
		state.gainType = GAIN.FIXED;
		state.biasType = BIAS.NONE;
	},
};

function servo(state: ActuatorState, attributes: Attributes): void {
	const kp = attributes.number('kp', state.gain[0]!);
	state.gain[0] = kp;
	state.bias[1] = -kp;
	const ratio = attributes.number('dampratio', 0);
	if (attributes.has('kv') && attributes.has('dampratio')) {
		attributes.fault('MJCF014', 'dampratio', 'but kv is given, which counts', 'warning');
	}
	if (attributes.has('kv')) state.bias[2] = -attributes.number('kv', 0);
	// a positive third number is a damping ratio that the solver resolves
	else if (attributes.has('dampratio')) state.bias[2] = ratio;
	if (attributes.has('timeconst')) {
		state.dynamics[0] = attributes.number('timeconst', 0);
		state.dynamicsType = state.dynamics[0] === 0 ? DYN.NONE : DYN.FILTER_EXACT;
	}
	state.gainType = GAIN.FIXED;
	state.biasType = BIAS.AFFINE;
}

/** Parameters of muscles where they are still those of other actuators, then as given. */
function muscle(state: ActuatorState, attributes: Attributes): void {
	const { gain, bias, dynamics } = state;
	if (dynamics[0] === 1) dynamics[0] = 0.01;
	if (dynamics[1] === 0) dynamics[1] = 0.04;
	if (gain[0] === 1) gain[0] = 0.75;
	for (const [i, value] of [0, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2].entries()) {
		if (i > 0 && gain[i] === 0) gain[i] = value;
	}
	fill(dynamics, attributes, 'timeconst');
	dynamics[2] = attributes.number('tausmooth', dynamics[2]!);
	fill(gain, attributes, 'range');
	for (const [i, name] of ['force', 'scale', 'lmin', 'lmax', 'vmax', 'fpmax', 'fvmax'].entries()) {
		gain[2 + i] = attributes.number(name, gain[2 + i]!);
	}
	bias.set(gain.subarray(0, 9));
	types(state, DYN.MUSCLE, GAIN.MUSCLE, BIAS.MUSCLE);
}

function types(state: ActuatorState, dynamics: number, gain: number, bias: number): void {
	state.dynamicsType = dynamics;
	state.gainType = gain;
	state.biasType = bias;
}

/** Numbers of an attribute over those that were there; missing ones at the end stay. */
function fill(out: Float64Array, attributes: Attributes, name: string): void {
	const text = attributes.values.get(name)?.text;
	if (text === undefined) return;
	const numbers = readNumbers(text);
	if (numbers === undefined) attributes.numbers(name);
	else out.set(numbers.subarray(0, out.length));
	attributes.text(name);
}

function token(attributes: Attributes, name: 'gaintype' | 'biastype' | 'dyntype', fallback: number): number {
	const text = attributes.text(name);
	if (text === undefined) return fallback;
	const value = parseMujocoToken(name, text);
	if (value !== undefined) return value;
	attributes.fault('MJCF016', name, 'which is not supported; the first of its kinds is taken instead');
	return 0;
}
