import { ModelError } from '@manyworlds/model';
import type { AttributeFrequency, AttributeOwner, AttributeType } from '@manyworlds/model/internal';
import { Attribute, type Prim, type Value } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { convertValue } from './custom-values.ts';
import { plainValue } from './plain-value.ts';

/** Where values are stored, by the word that assets use. */
const OWNERS: Readonly<Record<string, AttributeOwner>> = {
	model: 'model',
	state: 'state',
	control: 'control',
	contact: 'contacts',
};

/** What there is one value for, by the word that assets use. */
const FREQUENCIES: Readonly<Record<string, AttributeFrequency>> = {
	once: 'once',
	world: 'world',
	body: 'body',
	shape: 'shape',
	joint: 'joint',
	joint_dof: 'jointDof',
	joint_coord: 'jointCoord',
	joint_constraint: 'jointConstraint',
	articulation: 'articulation',
	particle: 'particle',
	edge: 'edge',
	triangle: 'triangle',
	tetrahedron: 'tetrahedron',
	spring: 'spring',
	constraint_mimic: 'constraintMimic',
};

/** Attributes of a scene that the importer itself reads, not declarations. */
const SETTINGS: ReadonlySet<string> = new Set(['newton:collapse_fixed_joints', 'newton:joint_drive_gains_scaling']);

/** Declares the custom attributes that a physics scene declares; everything malformed is reported and left out. */
export function declareCustomAttributes(ctx: ImportContext, scene: Prim): void {
	const known = new Set(
		ctx.resolvers.resolvers.flatMap(({ mapping }) => Object.values(mapping.scene ?? {}).map(({ name }) => name)),
	);
	for (const name of scene.authoredPropertyNames()) {
		if (!name.startsWith('newton:') || SETTINGS.has(name) || known.has(name)) continue;
		const property = scene.property(name);
		if (!(property instanceof Attribute) || property.definition !== undefined) continue;
		declareOne(ctx, scene, property);
	}
}

function declareOne(ctx: ImportContext, scene: Prim, attribute: Attribute): void {
	const { name } = attribute;
	const refuse = (message: string): void => ctx.tell('IMP070', scene, `${name} is not declared: ${message}`, name);
	const parts = name.split(':').slice(1);
	if (parts.length > 2 || parts.some((part) => part === '')) {
		refuse('its name has more parts than newton:namespace:name');
		return;
	}
	const owner = readWord(attribute, 'assignment', OWNERS);
	const frequency = readWord(attribute, 'frequency', FREQUENCIES);
	for (const [key, word, words] of [
		['assignment', owner, OWNERS],
		['frequency', frequency, FREQUENCIES],
	] as const) {
		if (word === undefined) {
			refuse(`customData has no ${key}, expected one of ${Object.keys(words).join(', ')}`);
			return;
		}
		if (typeof word === 'object') {
			refuse(`${key} is '${word.unknown}', expected one of ${Object.keys(words).join(', ')}`);
			return;
		}
	}
	const value = attribute.get();
	const type = value === undefined ? undefined : attributeTypeOf(value);
	if (value === undefined || type === undefined) {
		const found = value === undefined ? 'it has no default value' : `its type is ${attribute.typeName}`;
		refuse(`${found}, expected bool, int, float, float2, float3, float4, quatf or a type like those`);
		return;
	}
	const declaration = {
		name: parts[parts.length - 1]!,
		...(parts.length === 2 ? { namespace: parts[0]! } : {}),
		type,
		frequency: frequency as AttributeFrequency,
		owner: owner as AttributeOwner,
	};
	const converted = convertValue(plainValue(value)!, declaration)!;
	try {
		ctx.builder.defineAttribute({ ...declaration, default: converted });
		ctx.ledger.keep(scene.path.toString(), name, {
			target: parts.join(':'),
			note: `declares a ${type} per ${frequency}`,
		});
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		ctx.tell('IMP072', scene, error.message, name);
	}
}

/** The meaning of a word in customData; the word itself when it has none. */
function readWord<T extends string>(
	attribute: Attribute,
	key: string,
	words: Readonly<Record<string, T>>,
): T | { readonly unknown: string } | undefined {
	const value = attribute.metadataEntry('customData', key);
	if (value === undefined || typeof value.data !== 'string' || value.data === '') return undefined;
	const text = value.data.toLowerCase();
	return Object.hasOwn(words, text) ? words[text]! : { unknown: value.data };
}

/** The type of attributes that a default value asks for; undefined for texts, arrays and matrices. */
function attributeTypeOf({ type }: Value): AttributeType | undefined {
	if (type.isArray || type.shape === 'matrix' || type.component === 'text' || type.component === 'other')
		return undefined;
	if (type.shape === 'quaternion') return 'quat';
	const isWhole =
		type.component === 'int' ||
		type.component === 'uint' ||
		type.component === 'int64' ||
		type.component === 'uint64' ||
		type.component === 'uchar';
	switch (type.width) {
		case 1:
			if (type.component === 'bool') return 'bool';
			return isWhole ? 'i32' : 'f32';
		case 2:
			return 'vec2';
		case 3:
			return 'vec3';
		case 4:
			return 'vec4';
		default:
			return undefined;
	}
}
