/** Arrays of the compiled model that are compared, by what compares them. */
export const COMPARED: ReadonlySet<string> = new Set([
	...['body_gravcomp', 'body_inertia', 'body_ipos', 'body_iquat', 'body_mass', 'body_mocapid', 'body_parentid'],
	...['body_pos', 'body_quat', 'body_jntnum', 'body_dofnum', 'body_geomnum', 'body_subtreemass'],
	...['jnt_actfrclimited', 'jnt_actfrcrange', 'jnt_actgravcomp', 'jnt_axis', 'jnt_bodyid', 'jnt_limited', 'jnt_margin'],
	...['jnt_pos', 'jnt_range', 'jnt_solimp', 'jnt_solref', 'jnt_stiffness', 'jnt_type', 'qpos0', 'qpos_spring'],
	...['dof_armature', 'dof_damping', 'dof_frictionloss', 'dof_solimp', 'dof_solref'],
	...['geom_bodyid', 'geom_conaffinity', 'geom_condim', 'geom_contype', 'geom_friction', 'geom_group'],
	...['geom_margin', 'geom_pos', 'geom_priority', 'geom_quat', 'geom_size', 'geom_solimp', 'geom_solmix'],
	...['geom_solref', 'geom_type', 'geom_dataid', 'mesh_pos', 'mesh_quat'],
	...['site_bodyid', 'site_pos', 'site_quat', 'site_size', 'site_type'],
	...['actuator_actearly', 'actuator_actlimited', 'actuator_actrange', 'actuator_biasprm', 'actuator_biastype'],
	...['actuator_cranklength', 'actuator_ctrllimited', 'actuator_ctrlrange', 'actuator_dynprm', 'actuator_dyntype'],
	...['actuator_forcelimited', 'actuator_forcerange', 'actuator_gainprm', 'actuator_gaintype', 'actuator_gear'],
	...['actuator_trnid', 'actuator_trntype'],
	...['eq_active0', 'eq_obj1id', 'eq_obj2id', 'eq_objtype', 'eq_solimp', 'eq_solref', 'eq_type', 'eq_data'],
	...['exclude_signature'],
	...['pair_dim', 'pair_friction', 'pair_gap', 'pair_geom1', 'pair_geom2', 'pair_margin', 'pair_solimp', 'pair_solref'],
	...['pair_solreffriction'],
	...['tendon_actfrcrange', 'tendon_armature', 'tendon_damping', 'tendon_frictionloss', 'tendon_limited'],
	...['tendon_margin', 'tendon_num', 'tendon_range', 'tendon_solimp_fri', 'tendon_solimp_lim', 'tendon_solref_fri'],
	...['tendon_solref_lim', 'tendon_stiffness', 'tendon_adr', 'wrap_objid', 'wrap_prm', 'wrap_type'],
	...['key_ctrl', 'key_qpos', 'key_qvel', 'key_time'],
]);

/** Why arrays are not compared, by the beginning of their names; the first that fits counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
	[/^(cam|sensor|numeric|tuple|text)_/, 'cameras, sensors and custom data have no counterpart'],
	[/^tree_|_treeid$|_treenum$|_rootid$|_weldid$|_simple(num)?$|_sameframe$/, 'bookkeeping of the engine'],
	[/adr$|_dofadr$|_jntadr$|_Madr$|_jntid$|_dofid$|^dof_(bodyid|parentid)$/, 'addresses of the engine'],
	[
		/invweight0$|^dof_(M0|length)$|_acc0$|_length0$|_lengthrange$|_lengthspring$|_actuatorid$/,
		'computed by the engine',
	],
	[/^body_(conaffinity|contype|margin)$|^geom_(aabb|rbound|fluid)$/, 'computed by the engine'],
	[
		/^(geom|pair)_(adhesion|surfacevel|signature)$|poly$|^actuator_(armature|damping|delay|history|ctrlspec|ctrlnum|outnum|actnum)/,
		'new in MuJoCo 3.14, all zero or counts',
	],
	[/_(group|user|matid|dataid|width)$|^(site|tendon)_rgba$|^mat_/, 'looks and user data have no counterpart'],
	[/^geom_(gap|rgba)$/, 'where a model gives none the builder has other defaults'],
	[/^mesh_scale$/, 'meshes are scaled when they are read'],
	[/^hfield_/, 'heightfields are compared as shapes'],
	[/^tendon_actfrclimited$/, 'resolved by the engine'],
];

/** Why an array is not compared; undefined when nothing is known about it. */
export function reasonNotCompared(name: string): string | undefined {
	return REASONS.find(([pattern]) => pattern.test(name))?.[1];
}
