import { arrayOfNewtonName, MODEL_ARRAYS } from '@manyworlds/model/internal';
import { type ExpectedArray, fields } from './expected-model.ts';

/** Arrays that a dump writes as names of an enumeration. */
const ENUM_ARRAYS: Readonly<Record<string, string>> = {
	joint_target_mode: 'JointTargetMode',
	joint_type: 'JointType',
	shape_type: 'GeoType',
};
/** Arrays that a dump writes as names of flags. */
const FLAG_ARRAYS: Readonly<Record<string, string>> = { body_flags: 'BodyFlags', shape_flags: 'ShapeFlags' };

const DTYPES = { bool: 'bool', float: 'float32', int: 'int32' } as const;

/** What is wrong with the layout of an array of a model: enumeration, data type, dimensions. */
export function modelArrayProblem(name: string, array: ExpectedArray): string | undefined {
	if (name in ENUM_ARRAYS || name in FLAG_ARRAYS) {
		const kind = name in ENUM_ARRAYS ? 'enum' : 'flags';
		fields(array, name, ['data', kind]);
		const table = { ...ENUM_ARRAYS, ...FLAG_ARRAYS }[name];
		return array[kind] === table ? undefined : `${name} has the ${kind} '${array[kind]}', expected '${table}'`;
	}
	if (name === 'muscle_start') return layoutProblem(name, array, 'int32', []);
	const ours = arrayOfNewtonName(name.replace(/^mujoco:/, ''));
	if (ours === undefined) return `${name} is not known`;
	const { type, dims } = MODEL_ARRAYS[ours];
	return layoutProblem(name, array, DTYPES[type], dims);
}

/** What is wrong with the data type, the dimensions and the kind of values of an array. */
export function layoutProblem(
	name: string,
	array: ExpectedArray,
	dtype: string,
	dims: readonly number[],
): string | undefined {
	fields(array, name, ['data', 'dtype', 'shape']);
	if (array.dtype !== dtype) return `${name} has the data type '${array.dtype}', expected '${dtype}'`;
	const width = dims.reduce((product, size) => product * size, 1);
	const expected = [array.data.length / width, ...dims];
	if (JSON.stringify(array.shape) !== JSON.stringify(expected))
		return `${name} has the shape [${array.shape?.join()}], expected [${expected.join()}]`;
	const isKind = (value: unknown): boolean =>
		dtype === 'bool'
			? typeof value === 'boolean'
			: dtype === 'int32'
				? Number.isInteger(value)
				: typeof value === 'number' || value === 'inf' || value === '-inf' || value === 'nan';
	const at = array.data.findIndex((value) => !isKind(value));
	return at < 0 ? undefined : `${name}[${at}] is ${String(array.data[at])}, expected a ${dtype}`;
}
