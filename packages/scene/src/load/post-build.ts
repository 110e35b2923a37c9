import { mat3ToQuat, transformMultiply } from '@manyworlds/core/internal';
import { orientedBox } from '@manyworlds/mesh';
import { GeoType, isHeightfield, ShapeFlags } from '@manyworlds/model';
import { pythonText } from '../python-text.ts';
import type { ScenePath } from '../scene-document.ts';
import type { SceneJointPosition } from '../schema/joint.ts';
import { toNumber } from '../schema/leaf.ts';
import type { SceneEntries, SceneJointSelector, SceneOperation } from '../schema/post-build.ts';
import { addInlineShape } from './add-bodies.ts';
import type { LoadContext } from './load-context.ts';
import { SCENE_ARRAY_NAMES, SceneArrays } from './scene-arrays.ts';
import { indexRange, selectEntries, selectJoints } from './select-entries.ts';

/** Applies the operations of `post_build` in order. `onOperation` is told after each. */
export function applyPostBuild(
	context: LoadContext,
	operations: readonly SceneOperation[],
	onOperation: (index: number) => void,
): void {
	const arrays = new SceneArrays(context.builder);
	operations.forEach((operation, i) => {
		apply(context, arrays, operation, ['post_build', i]);
		onOperation(i);
	});
}

type Operation<K extends SceneOperation['op']> = Extract<SceneOperation, { readonly op: K }>;

function apply(context: LoadContext, arrays: SceneArrays, operation: SceneOperation, path: ScenePath): void {
	const { builder } = context;
	switch (operation.op) {
		case 'add_shape': {
			const body = context.body(operation.body, [...path, 'body']);
			if (body !== undefined) addInlineShape(context, body, operation.shape, path);
			return;
		}
		case 'set_array':
			setArray(context, arrays, operation, path);
			return;
		case 'copy_array':
			copyArray(context, arrays, operation, path);
			return;
		case 'scale_sphere_shapes': {
			const types = builder.column('shapeType');
			const scales = builder.column('shapeScale');
			types.forEach((type, shape) => {
				if (type === GeoType.SPHERE) scales[3 * shape] = scales[3 * shape]! * operation.factor;
			});
			return;
		}
		case 'approximate_meshes':
			if (operation.method === 'bounding_box') boundMeshes(context);
			else {
				const more = '; bounding_box is supported';
				const feature = `post_build approximate_meshes method=${operation.method}`;
				context.addUnsupported(feature, [...path, 'method'], 'SCN030', more);
			}
			return;
		case 'set_attr':
			setAttribute(context, operation, path);
			return;
		case 'set_joint_targets': {
			const dofs = selectDofs(context, operation, path);
			for (const dof of dofs ?? []) {
				builder.column('jointTargetKe')[dof] = operation.ke;
				builder.column('jointTargetKd')[dof] = operation.kd;
				builder.column('jointTargetMode')[dof] = operation.mode;
			}
			return;
		}
		case 'set_joint_q':
			setJointPosition(context, operation, path, 'post_build set_joint_q');
			return;
		case 'copy_joint_q_to_joint_targets':
			copyPositions(context, arrays, operation, path);
			return;
		case 'set_joint_armature': {
			const dofs = selectDofs(context, operation, path);
			for (const dof of dofs ?? []) builder.column('jointArmature')[dof] = operation.value;
			return;
		}
		default: {
			const name = operation.name === '' ? '<missing>' : operation.name;
			context.addUnsupported(`post_build op=${name}`, operation.name === '' ? path : [...path, 'op']);
		}
	}
}

function setArray(context: LoadContext, arrays: SceneArrays, operation: Operation<'set_array'>, path: ScenePath): void {
	const array = arrays.find(operation.array);
	if (array === undefined) {
		unknownArray(
			context,
			`post_build set_array ${operation.array || '<missing>'}`,
			operation.array === '' ? path : [...path, 'array'],
		);
		return;
	}
	const indices = entriesOf(context, operation.entries, array, path);
	if (indices === undefined) return;
	const values = valuesFor(context, arrays, operation, indices.length, path);
	if (values === undefined) return;
	const refused = values.find((value) => array.refusal(value) !== undefined);
	if (refused !== undefined) {
		context.add('SCN008', path, `sets an entry of ${operation.array} to ${array.refusal(refused)}`);
		return;
	}
	indices.forEach((index, i) => {
		array.set(index, values[i]!);
	});
}

/** The values that are set, one for each entry; undefined after a diagnostic. */
function valuesFor(
	context: LoadContext,
	arrays: SceneArrays,
	operation: Operation<'set_array'>,
	count: number,
	path: ScenePath,
): readonly number[] | undefined {
	const { from_array: from, values, value } = operation;
	if (from !== undefined) {
		const source = arrays.find(from);
		if (source === undefined) {
			unknownArray(context, `post_build set_array from_array ${from}`, [...path, 'from_array']);
			return undefined;
		}
		const at = operation.from_range === undefined ? path : [...path, 'from_range'];
		const indices = entriesOf(context, operation.from_range ?? operation.entries, source, at);
		if (indices === undefined) return undefined;
		if (indices.length === count) return indices.map((index) => source.get(index));
		return context.add(
			'SCN041',
			at,
			`takes ${indices.length} entries of ${from} for ${count} entries of ${operation.array}`,
		);
	}
	if (values !== undefined) {
		if (values.length === count) return values;
		return context.add(
			'SCN041',
			[...path, 'values'],
			`has ${values.length} values for ${count} entries of ${operation.array}`,
		);
	}
	return new Array<number>(count).fill(value ?? 0);
}

function copyArray(
	context: LoadContext,
	arrays: SceneArrays,
	operation: Operation<'copy_array'>,
	path: ScenePath,
): void {
	const source = arrays.find(operation.src);
	const target = arrays.find(operation.dst);
	if (source === undefined || target === undefined) {
		const feature = `post_build copy_array ${operation.src || '<missing>'}->${operation.dst || '<missing>'}`;
		unknownArray(context, feature, [...path, source === undefined ? 'src' : 'dst']);
		return;
	}
	const place = (key: string): ScenePath => (context.document.has([...path, key]) ? [...path, key] : path);
	const from = entriesOf(context, operation.src_range, source, place('src_range'));
	const to = entriesOf(context, operation.dst_range, target, place('dst_range'));
	if (from === undefined || to === undefined) return;
	if (from.length !== to.length) {
		context.add(
			'SCN041',
			path,
			`copies ${from.length} entries of ${operation.src} to ${to.length} entries of ${operation.dst}`,
		);
		return;
	}
	const values = from.map((index) => source.get(index));
	const refused = values.find((value) => target.refusal(value) !== undefined);
	if (refused !== undefined) {
		context.add('SCN008', path, `sets an entry of ${operation.dst} to ${target.refusal(refused)}`);
		return;
	}
	to.forEach((index, i) => {
		target.set(index, values[i]!);
	});
}

function unknownArray(context: LoadContext, feature: string, path: ScenePath): void {
	context.addUnsupported(feature, path, 'SCN030', `; known arrays are ${SCENE_ARRAY_NAMES.join(', ')}`);
}

/** Selected entries; a range that is not known is an error here. */
function entriesOf(
	context: LoadContext,
	entries: SceneEntries,
	array: { readonly length: number },
	path: ScenePath,
): readonly number[] | undefined {
	const selection = selectEntries(context, entries, array.length, path);
	if (selection === undefined || !('unknown' in selection)) return selection;
	const message = `is ${selection.unknown}, expected all, head:N, tail:N, from:N or [start, end]`;
	return context.add('SCN009', [...path, 'range'], message);
}

/** Degrees of freedom by joints, or by index and range. Undefined after a diagnostic. */
function selectDofs(
	context: LoadContext,
	operation: { readonly op: string; readonly joints: SceneJointSelector | undefined; readonly entries: SceneEntries },
	path: ScenePath,
): readonly number[] | undefined {
	const { builder } = context;
	const length = builder.count('jointDof');
	const name = `post_build ${operation.op}`;
	if (operation.joints === undefined) {
		const selection = selectEntries(context, operation.entries, length, path);
		if (selection === undefined || !('unknown' in selection)) return selection;
		context.addUnsupported(`${name}: Unsupported range spec: ${selection.unknown}`, [...path, 'range']);
		return undefined;
	}
	const joints = jointsOf(context, operation.joints, name, path);
	const starts = builder.column('jointQdStart');
	return joints?.flatMap((joint) => {
		const end = starts[joint + 1] ?? length;
		return Array.from({ length: end - starts[joint]! }, (_, i) => starts[joint]! + i);
	});
}

function jointsOf(
	context: LoadContext,
	selector: SceneJointSelector,
	name: string,
	path: ScenePath,
): readonly number[] | undefined {
	const joints = selectJoints(context, selector, path);
	if (!('feature' in joints)) return joints;
	context.addUnsupported(`${name}: ${joints.feature}`, joints.path, joints.code, `; it ${joints.message}`);
	return undefined;
}

function copyPositions(
	context: LoadContext,
	arrays: SceneArrays,
	operation: Operation<'copy_joint_q_to_joint_targets'>,
	path: ScenePath,
): void {
	const name = `post_build ${operation.op}`;
	if (operation.joints === undefined) {
		context.addUnsupported(`${name}: Expected a joint selector in op: ${pythonText(operation.written)}`, path);
		return;
	}
	for (const joint of jointsOf(context, operation.joints, name, path) ?? []) arrays.targetCoordinates(joint);
}

/**
 * Sets one coordinate, by its place in `joint_q` or by a joint and an offset inside of its coordinates. With `feature`, an
 * unknown joint is an unsupported feature of this name, else an error.
 */
export function setJointPosition(
	context: LoadContext,
	position: SceneJointPosition,
	path: ScenePath,
	feature?: string,
): void {
	const q = context.builder.column('jointQ');
	if (position.index !== undefined) {
		const index = position.index < 0 ? q.length + position.index : position.index;
		if (index >= 0 && index < q.length) q[index] = position.value;
		else context.add('SCN040', [...path, 'index'], `is ${position.index}, expected ${indexRange(q.length)}`);
		return;
	}
	const key = context.document.has([...path, 'joint']) ? 'joint' : 'joint_label';
	const ref = position.joint ?? '';
	const inline = typeof ref === 'string' && context.jointIds.has(ref) ? context.jointIds.get(ref) : undefined;
	const joint = feature === undefined && inline !== undefined ? inline : context.findJoint(ref);
	if (typeof joint !== 'number') {
		const what = joint.code === 'SCN022' ? 'Ambiguous joint reference' : 'Unknown joint reference:';
		if (feature === undefined) context.add(joint.code, [...path, key], joint.message);
		else
			context.addUnsupported(
				`${feature}: ${what} ${pythonText(position.joint)}`,
				[...path, key],
				joint.code,
				`; it ${joint.message}`,
			);
		return;
	}
	const starts = context.builder.column('jointQStart');
	const start = starts[joint]!;
	const count = (starts[joint + 1] ?? q.length) - start;
	if (position.offset >= 0 && position.offset < count) {
		q[start + position.offset] = position.value;
		return;
	}
	const label = context.builder.labels('joint')[joint];
	const expected = count === 0 ? 'none, as it has no coordinates' : `0 to ${count - 1}`;
	const at = context.document.has([...path, 'offset']) ? [...path, 'offset'] : [...path, key];
	context.add('SCN040', at, `is offset ${position.offset} of joint '${label}', expected ${expected}`);
}

function setAttribute(context: LoadContext, { name, value }: Operation<'set_attr'>, path: ScenePath): void {
	const { builder } = context;
	const number = (least = Number.NEGATIVE_INFINITY): number | undefined => {
		const at = [...path, 'value'];
		const settled = toNumber(value, (code, message) => context.add(code, at, message));
		if (settled === undefined || settled >= least) return settled;
		return context.add('SCN008', at, `is ${settled}, expected a number of at least ${least}`);
	};
	switch (name) {
		case 'gravity': {
			const along = number();
			if (along !== undefined) builder.gravity = [0, 0, along];
			return;
		}
		case 'rigid_gap':
			builder.rigidGap = number(0) ?? builder.rigidGap;
			return;
		case 'default_body_armature':
			context.bodyArmature = number(0) ?? context.bodyArmature;
			return;
		default: {
			const more = '; gravity, rigid_gap and default_body_armature are supported';
			context.addUnsupported(
				`post_build set_attr ${name || '<missing>'}`,
				name === '' ? path : [...path, 'name'],
				'SCN030',
				more,
			);
		}
	}
}

/** Puts the smallest box that is found around each colliding mesh in its place. The mass of the body stays. */
function boundMeshes({ builder, meshColliders }: LoadContext): void {
	// convex shapes of Newton are no meshes any more; ours are meshes that collide as their hull
	const isMesh = (type: number): boolean =>
		type === GeoType.MESH || (type === GeoType.CONVEX_MESH && meshColliders === 'hull');
	const types = builder.column('shapeType');
	const flags = builder.column('shapeFlags');
	const scales = builder.column('shapeScale');
	const frames = builder.column('shapeTransform');
	for (let shape = 0; shape < types.length; shape++) {
		const source = builder.edits.shapeSource(shape);
		const collides = (flags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0;
		if (!isMesh(types[shape]!) || !collides || source === null || isHeightfield(source)) continue;
		const scale = scales.slice(3 * shape, 3 * shape + 3);
		const box = orientedBox(source.vertices.map((x, i) => x * scale[i % 3]!));
		const frame = new Float64Array(7);
		frame.set(box.center);
		// the axes of the box, row after row, are the images of the coordinate axes
		mat3ToQuat(frame, box.axes, 3);
		const xform = transformMultiply(new Float64Array(7), frames.slice(7 * shape, 7 * shape + 7), frame);
		builder.edits.replaceShape(shape, { type: GeoType.BOX, scale: box.halfExtents, xform, source: null });
	}
}
