import { asNumber, type PlainValue } from '../plain-value.ts';
import type { SchemaAttribute, SchemaResolver } from './schema-resolver.ts';
import { solrefDamping, solrefStiffness } from './solref.ts';

const LINEAR_AXES = ['transX', 'transY', 'transZ', 'linear'] as const;
const ANGULAR_AXES = ['angular', 'rotX', 'rotY', 'rotZ'] as const;
const DEFAULT_SOLREF = [0.02, 1];
const DEGREE = Math.PI / 180;

/** Attributes of the MuJoCo schemas. @public */
export const SCHEMA_RESOLVER_MJC: SchemaResolver = {
	name: 'mjc',
	mapping: {
		scene: {
			max_solver_iterations: { name: 'mjc:option:iterations', default: 100 },
			time_steps_per_second: { name: 'mjc:option:timestep', default: 0.002, transform: stepsPerSecond },
			gravity_enabled: { name: 'mjc:flag:gravity', default: true },
		},
		joint: {
			armature: { name: 'mjc:armature', default: 0 },
			// per radian where other schemas have it per degree, hence a name of its own
			damping_per_rad: { name: 'mjc:damping' },
			friction: { name: 'mjc:frictionloss', default: 0 },
			...limits(),
		},
		shape: {
			max_hull_vertices: { name: 'mjc:maxhullvert', default: -1 },
			margin: { name: 'mjc:margin', default: 0 },
			gap: { name: 'mjc:gap', default: 0 },
			mass_model: { name: 'mjc:shellinertia', default: false, transform: (value) => (value ? 'shell' : 'solid') },
			ke: { name: 'mjc:solref', transform: solrefStiffness },
			kd: { name: 'mjc:solref', transform: solrefDamping },
		},
		material: {
			mu_torsional: { name: 'mjc:torsionalfriction', default: 0.005 },
			mu_rolling: { name: 'mjc:rollingfriction', default: 0.0001 },
			priority: { name: 'mjc:priority', default: 0 },
			weight: { name: 'mjc:solmix', default: 1 },
			ke: {
				name: 'mjc:solref',
				transform: solrefStiffness,
				deprecated: 'newton:contactStiffness, or mjc:solref of the shape',
			},
			kd: {
				name: 'mjc:solref',
				transform: solrefDamping,
				deprecated: 'newton:contactDamping, or mjc:solref of the shape',
			},
		},
		actuator: {
			ctrl_low: { name: 'mjc:ctrlRange:min', default: 0 },
			ctrl_high: { name: 'mjc:ctrlRange:max', default: 0 },
			force_low: { name: 'mjc:forceRange:min', default: 0 },
			force_high: { name: 'mjc:forceRange:max', default: 0 },
			act_low: { name: 'mjc:actRange:min', default: 0 },
			act_high: { name: 'mjc:actRange:max', default: 0 },
			length_low: { name: 'mjc:lengthRange:min', default: 0 },
			length_high: { name: 'mjc:lengthRange:max', default: 0 },
			gainPrm: { name: 'mjc:gainPrm', default: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
			gainType: { name: 'mjc:gainType', default: 'fixed' },
			biasPrm: { name: 'mjc:biasPrm', default: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
			biasType: { name: 'mjc:biasType', default: 'none' },
			dynPrm: { name: 'mjc:dynPrm', default: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
			dynType: { name: 'mjc:dynType', default: 'none' },
			gear: { name: 'mjc:gear', default: [1, 0, 0, 0, 0, 0] },
		},
	},
};

function stepsPerSecond(value: PlainValue): PlainValue | undefined {
	const step = asNumber(value);
	return step !== undefined && step > 0 ? Math.trunc(1 / step) : undefined;
}

/** Limit gains of a unit mass; angular ones per degree, as every resolver gives them. */
function limits(): Record<string, SchemaAttribute> {
	const entries: [string, SchemaAttribute][] = [];
	const add = (axis: string, unit: number): void => {
		const scaled =
			(gain: (value: PlainValue) => number | undefined) =>
			(value: PlainValue): number | undefined => {
				const found = gain(value);
				return found === undefined ? undefined : found * unit;
			};
		const common = { name: 'mjc:solreflimit', default: DEFAULT_SOLREF };
		entries.push([`limit_${axis}_ke`, { ...common, transform: scaled(solrefStiffness) }]);
		entries.push([`limit_${axis}_kd`, { ...common, transform: scaled(solrefDamping) }]);
	};
	for (const axis of LINEAR_AXES) add(axis, 1);
	for (const axis of ANGULAR_AXES) add(axis, DEGREE);
	return Object.fromEntries(entries);
}
