import type { AttributeFrequency, AttributeType } from '@manyworlds/model/internal';

const FREQUENCIES: Readonly<Record<string, AttributeFrequency>> = {
	joint_dof: 'jointDof',
	joint_coord: 'jointCoord',
	joint_constraint: 'jointConstraint',
	constraint_mimic: 'constraintMimic',
};

/** Our name of a frequency of the format. */
export function frequencyOf(name: string): AttributeFrequency {
	return FREQUENCIES[name] ?? (name as AttributeFrequency);
}

const TYPES: Readonly<Record<string, AttributeType>> = {
	float32: 'f32',
	float64: 'f64',
	int32: 'i32',
	int64: 'i64',
	str: 'string',
	uint32: 'u32',
};

/** Our name of a type of the format. */
export function typeOf(name: string): AttributeType {
	return TYPES[name] ?? (name as AttributeType);
}

/** `joint_target_ke` as `jointTargetKe`. */
export function camelCase(name: string): string {
	return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
