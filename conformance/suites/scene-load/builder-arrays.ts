import { isHeightfield, JointType, type ModelBuilder } from '@manyworlds/model';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';

/** Arrays of a builder by the reference's names, row by row. */
export type BuilderArrays = Readonly<Record<string, readonly unknown[]>>;

const COLUMNS = {
	joint_armature: ['jointArmature', 1],
	joint_q: ['jointQ', 1],
	joint_qd: ['jointQd', 1],
	joint_target_kd: ['jointTargetKd', 1],
	joint_target_ke: ['jointTargetKe', 1],
	joint_target_mode: ['jointTargetMode', 1],
	joint_target_vel: ['jointTargetQd', 1],
	shape_body: ['shapeBody', 1],
	shape_collision_group: ['shapeCollisionGroup', 1],
	shape_flags: ['shapeFlags', 1],
	shape_gap: ['shapeGap', 1],
	shape_margin: ['shapeMargin', 1],
	shape_material_ke: ['shapeMaterialKe', 1],
	shape_material_kh: ['shapeMaterialKh', 1],
	shape_material_mu: ['shapeMaterialMu', 1],
	shape_material_mu_rolling: ['shapeMaterialMuRolling', 1],
	shape_material_mu_torsional: ['shapeMaterialMuTorsional', 1],
	shape_material_restitution: ['shapeMaterialRestitution', 1],
	shape_scale: ['shapeScale', 3],
	shape_transform: ['shapeTransform', 7],
	shape_type: ['shapeType', 1],
	shape_world: ['shapeWorld', 1],
} as const;

/** A copy of what a builder holds now. */
export function builderArrays(builder: ModelBuilder): BuilderArrays {
	const out: Record<string, readonly unknown[]> = {};
	for (const [name, [column, width]] of Object.entries(COLUMNS)) {
		const values = builder.column(column);
		out[name] = Array.from({ length: values.length / width }, (_, i) =>
			width === 1 ? values[i]! : Array.from(values.subarray(i * width, (i + 1) * width)),
		);
	}
	out['shape_is_solid'] = Array.from(builder.column('shapeIsSolid'), Boolean);
	out['shape_labels'] = builder.labels('shape').slice();
	out['shape_material_tau'] = Array.from(builder.attributeValues(SAP_TAU_ATTRIBUTE) as Float64Array);
	out['shape_source_refs'] = Array.from({ length: builder.shapeCount }, (_, shape) =>
		builder.edits.shapeSource(shape) === null ? null : 'mesh',
	);
	out['joint_target_pos'] = targetsByDof(builder);
	return out;
}

/** Vertices of the mesh of a shape with its scale; undefined for other shapes. */
export function meshVertices(builder: ModelBuilder, shape: number): Float64Array | undefined {
	const source = builder.edits.shapeSource(shape);
	if (source === null || isHeightfield(source)) return undefined;
	const scale = builder.column('shapeScale').subarray(3 * shape, 3 * shape + 3);
	return source.vertices.map((value, i) => value * scale[i % 3]!);
}

function targetsByDof(builder: ModelBuilder): number[] {
	const out = new Array<number>(builder.count('jointDof')).fill(0);
	const types = builder.column('jointType');
	const coords = builder.column('jointQStart');
	const dofs = builder.column('jointQdStart');
	const targets = builder.column('jointTargetQ');
	types.forEach((type, joint) => {
		const count = (dofs[joint + 1] ?? out.length) - dofs[joint]!;
		const plain = type === JointType.BALL ? 0 : type === JointType.FREE ? 3 : count;
		for (let k = 0; k < plain; k++) out[dofs[joint]! + k] = targets[coords[joint]! + k]!;
	});
	return out;
}
