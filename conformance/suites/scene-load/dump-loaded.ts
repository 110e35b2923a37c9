import { quatRotate } from '@manyworlds/core/internal';
import {
	GeoType,
	isHeightfield,
	JOINT_AXIS_DEFAULTS,
	JointType,
	type Model,
	type ModelBuilder,
	type State,
} from '@manyworlds/model';
import type { LoadedScene, Scene } from '@manyworlds/scene';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';

/** What a load result of SAP Warp holds, made from ours. Names and layout are SAP Warp's. */
export type LoadDump = Readonly<Record<string, unknown>>;

/** A loaded scene as SAP Warp would have written it, without what SAP Warp alone has. */
export function dumpLoaded(loaded: LoadedScene): LoadDump {
	const { model, state, control, settings } = loaded;
	const rows = (values: ArrayLike<number>, width: number): number[][] =>
		Array.from({ length: values.length / width }, (_, i) =>
			Array.from({ length: width }, (_, k) => values[i * width + k]!),
		);
	const shape = {
		shape_body: Array.from(model.shapeBody),
		shape_collision_radius: Array.from(model.shapeCollisionRadius),
		shape_flags: Array.from(model.shapeFlags),
		shape_gap: Array.from(model.shapeGap),
		shape_margin: Array.from(model.shapeMargin),
		shape_material_ke: Array.from(model.shapeMaterialKe),
		shape_material_mu: Array.from(model.shapeMaterialMu),
		shape_material_tau: Array.from(model.attributes.get(SAP_TAU_ATTRIBUTE) as Float64Array),
		shape_scale: rows(model.shapeScale, 3),
		shape_transform: rows(model.shapeTransform, 7),
		shape_type: Array.from(model.shapeType),
		shape_world: Array.from(model.shapeWorld),
	};
	const targets = targetsByDof(model, control.jointTargetQ);
	return {
		collision: {
			...shape,
			shape_collision_aabb_lower: rows(model.shapeCollisionAabbLower, 3),
			shape_collision_aabb_upper: rows(model.shapeCollisionAabbUpper, 3),
			shape_collision_group: Array.from(model.shapeCollisionGroup),
			shape_contact_pairs: rows(model.shapeContactPairs, 2),
			shape_material_kh: Array.from(model.shapeMaterialKh),
			shape_material_mu_rolling: Array.from(model.shapeMaterialMuRolling),
			shape_material_mu_torsional: Array.from(model.shapeMaterialMuTorsional),
			shape_material_restitution: Array.from(model.shapeMaterialRestitution),
		},
		collision_counts: {
			filter_pair_count: model.shapeCollisionFilterPairs.length / 2,
			rigid_contact_max: settings.rigidContactMax ?? 0,
			shape_contact_pair_count: model.shapeContactPairs.length / 2,
		},
		collision_state: { body_q: rows(state.bodyQ, 7) },
		control: {
			joint_act: Array.from(control.jointAct),
			joint_f: Array.from(control.jointF),
			joint_f_order: 'public',
			joint_target_pos: targets,
			joint_target_vel: Array.from(control.jointTargetQd),
		},
		counts: {
			articulation_count: model.articulationCount,
			body_count: model.bodyCount,
			joint_coord_count: model.jointCoordCount,
			joint_count: model.jointCount,
			joint_dof_count: model.jointDofCount,
			shape_count: model.shapeCount,
			world_count: model.worldCount,
		},
		filter_pairs: rows(model.shapeCollisionFilterPairs, 2),
		labels: {
			articulation: model.labels('articulation'),
			body: model.labels('body'),
			joint: model.labels('joint'),
			shape: model.labels('shape'),
		},
		meshes: model.shapeSources.map((source, i) => {
			if (source === null || isHeightfield(source) || model.shapeType[i] !== GeoType.MESH) return null;
			const bound = (pick: (...values: number[]) => number, start: number): number[] => {
				const out = [start, start, start];
				source.vertices.forEach((value, k) => {
					out[k % 3] = pick(out[k % 3]!, value);
				});
				return out;
			};
			return {
				aabb_lower: bound(Math.min, Number.POSITIVE_INFINITY),
				aabb_upper: bound(Math.max, Number.NEGATIVE_INFINITY),
				index_count: source.indices.length,
				vertex_count: source.vertices.length / 3,
			};
		}),
		model: {
			...shape,
			articulation_start: Array.from(model.articulationStart),
			body_com: rows(model.bodyCom, 3),
			body_flags: Array.from(model.bodyFlags),
			body_inertia: rows(model.bodyInertia, 9).map((tensor) => rows(tensor, 3)),
			body_mass: Array.from(model.bodyMass),
			body_q: rows(model.bodyQ, 7),
			body_qd: rows(model.bodyQd, 6),
			body_world: Array.from(model.bodyWorld),
			gravity: rows(model.gravity, 3),
			joint_X_c: rows(model.jointXC, 7),
			joint_X_p: rows(model.jointXP, 7),
			joint_act: Array.from(model.jointAct),
			joint_ancestor: Array.from(model.jointAncestor),
			joint_armature: Array.from(model.jointArmature),
			joint_articulation: Array.from(model.jointArticulation),
			joint_axis: rows(model.jointAxis, 3),
			joint_child: Array.from(model.jointChild),
			joint_dof_dim: rows(model.jointDofDim, 2),
			joint_effort_limit: Array.from(model.jointEffortLimit),
			joint_f: Array.from(model.jointF),
			joint_limit_kd: Array.from(model.jointLimitKd),
			joint_limit_ke: Array.from(model.jointLimitKe),
			joint_limit_lower: Array.from(model.jointLimitLower),
			joint_limit_upper: Array.from(model.jointLimitUpper),
			joint_parent: Array.from(model.jointParent),
			joint_q: Array.from(model.jointQ),
			joint_q_start: Array.from(model.jointQStart),
			joint_qd: Array.from(model.jointQd),
			joint_qd_start: Array.from(model.jointQdStart),
			joint_target_kd: Array.from(model.jointTargetKd),
			joint_target_ke: Array.from(model.jointTargetKe),
			joint_target_mode: Array.from(model.jointTargetMode),
			joint_target_pos: targetsByDof(model, model.jointTargetQ),
			joint_target_vel: Array.from(model.jointTargetQd),
			joint_type: Array.from(model.jointType),
			shape_is_solid: Array.from(model.shapeIsSolid, Boolean),
		},
		shape_colors: rows(model.shapeColor, 3),
		solver_order: solverOrder(model, state),
		state: {
			body_f: rows(state.bodyF, 6),
			body_f_order: 'public',
			body_q: rows(state.bodyQ, 7),
			body_qd: rows(state.bodyQd, 6),
			joint_q: Array.from(state.jointQ),
			joint_qd: Array.from(state.jointQd),
			joint_qd_order: 'public',
		},
		unsupported_features: loaded.unsupportedFeatures,
	};
}

/** The defaults that a scene gives the builder, as SAP Warp prints them. */
export function dumpDefaults(scene: Scene, builder: ModelBuilder, gravity: Float64Array): LoadDump {
	const { defaultShapeConfig: shape, defaultJointConfig: joint } = builder;
	const given = scene.builder.shape ?? {};
	return {
		default_body_armature: scene.builder.default_body_armature ?? 0,
		gravity: gravity[2],
		rigid_gap: builder.rigidGap,
		defaults: {
			joint: {
				actuator_mode: joint.actuatorMode,
				armature: joint.armature,
				axis: joint.axis === JOINT_AXIS_DEFAULTS.axis ? [1, 0, 0] : joint.axis,
				effort_limit: joint.effortLimit,
				friction: joint.friction,
				limit_kd: joint.limitKd,
				limit_ke: joint.limitKe,
				limit_lower: joint.limitLower,
				limit_upper: joint.limitUpper,
				target_kd: joint.targetKd,
				target_ke: joint.targetKe,
				target_pos: joint.targetPos,
				target_vel: joint.targetVel,
				velocity_limit: joint.velocityLimit,
			},
			shape: {
				collision_filter_parent: shape.collisionFilterParent,
				collision_group: shape.collisionGroup,
				density: shape.density,
				gap: shape.gap ?? null,
				has_particle_collision: shape.hasParticleCollision,
				has_shape_collision: shape.hasShapeCollision,
				is_hydroelastic: shape.isHydroelastic,
				is_site: shape.isSite,
				is_solid: shape.isSolid,
				is_visible: shape.isVisible,
				ke: shape.ke,
				kh: shape.kh,
				margin: shape.margin,
				mu: shape.mu,
				mu_rolling: shape.muRolling,
				mu_torsional: shape.muTorsional,
				restitution: shape.restitution,
				sdf_max_resolution: given.sdf_max_resolution ?? null,
				sdf_narrow_band_range: given.sdf_narrow_band_range ?? [-0.1, 0.1],
				sdf_target_voxel_size: given.sdf_target_voxel_size ?? null,
				sdf_texture_format: given.sdf_texture_format ?? 'uint16',
				tau: given.tau ?? 0.01,
			},
		},
	};
}

/** Target coordinates with an entry for each degree of freedom; those of free and ball joints have none of their own. */
function targetsByDof(model: Model, targets: Float64Array): number[] {
	const out = new Array<number>(model.jointDofCount).fill(0);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint];
		const dof = model.jointQdStart[joint]!;
		const count = model.jointQdStart[joint + 1]! - dof;
		const plain = type === JointType.BALL ? 0 : type === JointType.FREE || type === JointType.DISTANCE ? 3 : count;
		for (let k = 0; k < plain; k++) out[dof + k] = targets[model.jointQStart[joint]! + k]!;
	}
	return out;
}

/** Index maps between public and SAP order, by the conventions of the reference: free joints have angular velocities first. */
function solverOrder(model: Model, state: State): LoadDump {
	const dofs = model.jointDofCount;
	const coordIndex = new Array<number>(dofs).fill(-1);
	const targetIndex = Array.from({ length: dofs }, (_, dof) => dof);
	const limited = new Array<number>(dofs).fill(0);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const dof = model.jointQdStart[joint]!;
		const type = model.jointType[joint];
		if (type === JointType.FREE || type === JointType.DISTANCE) {
			for (let k = 0; k < 6; k++) targetIndex[dof + k] = dof + ((k + 3) % 6);
			continue;
		}
		if (type !== JointType.REVOLUTE && type !== JointType.PRISMATIC && type !== JointType.D6) continue;
		for (let k = 0; k < model.jointQdStart[joint + 1]! - dof; k++) {
			coordIndex[dof + k] = model.jointQStart[joint]! + k;
			limited[dof + k] = 1;
		}
	}
	const perWorld = dofs / Math.max(1, model.worldCount);
	const start = new Array<number>(model.bodyCount).fill(0);
	const count = new Array<number>(model.bodyCount).fill(0);
	for (let articulation = 0; articulation < model.articulationCount; articulation++) {
		const first = model.articulationStart[articulation]!;
		const end = model.articulationStart[articulation + 1]!;
		const dofStart = model.jointQdStart[first]!;
		for (let joint = first; joint < end; joint++) {
			start[model.jointChild[joint]!] = dofStart % Math.max(1, perWorld);
			count[model.jointChild[joint]!] = model.jointQdStart[end]! - dofStart;
		}
	}
	return {
		body_dof_count: count,
		body_dof_start: start,
		dof_coord_index: coordIndex,
		dof_target_index: targetIndex,
		joint_qd: solverVelocities(model, state, targetIndex),
		limit_supported: limited,
	};
}

/** Velocities in SAP order: those of free joints are of the body origin instead of the centre of mass. */
function solverVelocities(model: Model, state: State, order: readonly number[]): number[] {
	const velocities = Float64Array.from(state.jointQd);
	const arm = new Float64Array(3);
	for (let joint = 0; joint < model.jointCount; joint++) {
		if (model.jointType[joint] !== JointType.FREE) continue;
		const body = model.jointChild[joint]!;
		const dof = model.jointQdStart[joint]!;
		quatRotate(arm, state.bodyQ, model.bodyCom, 0, 7 * body + 3, 3 * body);
		const [wx, wy, wz] = velocities.subarray(dof + 3, dof + 6) as unknown as [number, number, number];
		const [x, y, z] = arm as unknown as [number, number, number];
		velocities[dof] = velocities[dof]! - (wy * z - wz * y);
		velocities[dof + 1] = velocities[dof + 1]! - (wz * x - wx * z);
		velocities[dof + 2] = velocities[dof + 2]! - (wx * y - wy * x);
	}
	return order.map((dof) => velocities[dof]!);
}
