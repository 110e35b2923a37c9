import type { AttributeDeclaration, AttributeFrequency, AttributeType, AttributeValue } from '../attribute-types.ts';
import type { ColumnName, Entity } from '../columns.ts';

/** How the text of an MJCF or USD token becomes a number; see `parseMujocoToken`. @public */
export type MujocoTokenRule =
	| 'integrator'
	| 'solver'
	| 'cone'
	| 'jacobian'
	| 'sleep'
	| 'enable'
	| 'bool'
	| 'tristate'
	| 'trntype'
	| 'dyntype'
	| 'gaintype'
	| 'biastype';

/** What an MJCF value becomes before it is stored: a token, an angle in the file's unit, or 1 because it is there. @public */
export type MujocoMjcfRule = MujocoTokenRule | 'angle' | 'presence';

/** What a USD prim is read for when the value is more than one attribute's. @public */
export type MujocoUsdRule =
	| MujocoTokenRule
	/** 1 (raw) when the source is authored, else 2 (MuJoCo's default). */
	| 'solrefMode'
	/** 1 (raw) when the source is authored, else nothing. */
	| 'solreflimitMode'
	/** Prim path, with `:axis` on joints of several axes. */
	| 'jointDofLabel'
	| 'primPath'
	/** The one path that the relationship targets. */
	| 'targetPath'
	/** Joint, tendon or site, by what the relationship targets. */
	| 'transmission'
	/** False, true or auto, auto when not authored. */
	| 'limited'
	/** The pair `<source>:min`, `<source>:max` when one is authored. */
	| 'range'
	/** 1 when one of the pair is authored. */
	| 'hasRange'
	/** Like the three above; without them `mjc:inheritRange` takes the limits of the target joint. */
	| 'ctrlLimited'
	| 'ctrlRange'
	| 'hasCtrlRange'
	| 'tendonJointAdr'
	| 'tendonJointNum';

/** Everything about an attribute besides its name, type and default. */
export interface MujocoAttributeTraits {
	/** MJCF attribute, when it is not the attribute's own name. */
	readonly mjcf?: string;
	readonly mjcfRule?: MujocoMjcfRule;
	/** Array of `mjModel` that holds the values as they are; `opt.<name>` for a number of `mjOption`. */
	readonly mjModel?: string;
	/** USD attribute; `*` asks the rule for every prim; left out, `newton:mujoco:<name>`. */
	readonly usd?: string;
	readonly usdRule?: MujocoUsdRule;
	/** What the rule reads. */
	readonly usdSource?: string;
	readonly references?: Entity | 'world' | `${string}:${string}`;
	/** What the values are indices of, when another attribute of the row tells. */
	readonly referencesBy?: NonNullable<AttributeDeclaration['referencesBy']>;
	readonly owner?: 'control';
	/** The column of the builder that holds the values instead of a custom attribute, or its labels. */
	readonly storedIn?: ColumnName | 'label';
}

/** One attribute: name, type, default, traits. */
export type MujocoAttributeRow = readonly [
	name: string,
	type: AttributeType,
	defaultValue: AttributeValue,
	traits?: MujocoAttributeTraits,
];

/** Default of contact masks: no mask was authored. @public */
export const MUJOCO_MASK_UNSET: number = -(2 ** 63);

const SOLREF = [0.02, 1];
const SOLIMP = [0.9, 0.95, 0.001, 0.5, 2];
// no gains were recorded at import; equal to itself, unlike NaN, so that builders can be merged
const NO_GAIN = Number.NEGATIVE_INFINITY;

/**
 * The `mujoco` attributes of Newton 1.6.1 by frequency, numbers in f64 where Newton has f32. Defaults of solver options
 * are Newton's, which differ from MuJoCo's in the integrator (implicitfast).
 */
export const MUJOCO_ATTRIBUTE_ROWS: Readonly<Partial<Record<AttributeFrequency, readonly MujocoAttributeRow[]>>> = {
	equalityConstraint: [
		['equality_constraint_type', 'i32', 0, { storedIn: 'equalityConstraintType' }],
		['equality_constraint_body1', 'i32', -1, { references: 'body', storedIn: 'equalityConstraintBody1' }],
		['equality_constraint_body2', 'i32', -1, { references: 'body', storedIn: 'equalityConstraintBody2' }],
		['equality_constraint_anchor', 'vec3', [0, 0, 0], { storedIn: 'equalityConstraintAnchor' }],
		['equality_constraint_torquescale', 'f64', 0, { storedIn: 'equalityConstraintTorquescale' }],
		['equality_constraint_relpose', 'transform', [0, 0, 0, 0, 0, 0, 1], { storedIn: 'equalityConstraintRelpose' }],
		['equality_constraint_joint1', 'i32', -1, { references: 'joint', storedIn: 'equalityConstraintJoint1' }],
		['equality_constraint_joint2', 'i32', -1, { references: 'joint', storedIn: 'equalityConstraintJoint2' }],
		['equality_constraint_polycoef', 'vec5', [0, 0, 0, 0, 0], { storedIn: 'equalityConstraintPolycoef' }],
		['equality_constraint_label', 'string', '', { storedIn: 'label' }],
		['equality_constraint_enabled', 'bool', true, { storedIn: 'equalityConstraintEnabled' }],
		['equality_constraint_world', 'i32', 0, { references: 'world', storedIn: 'equalityConstraintWorld' }],
		['equality_constraint_objtype', 'i32', -1],
		['equality_constraint_target_kind', 'i32', 0],
		// 1: a joint that closes the loop, 2: a mimic constraint
		[
			'equality_constraint_target',
			'i32',
			-1,
			{
				referencesBy: {
					attribute: 'mujoco:equality_constraint_target_kind',
					entities: { 1: 'joint', 2: 'constraintMimic' },
				},
			},
		],
		['eq_solref', 'vec2', SOLREF, { mjcf: 'solref', usd: 'mjc:solref', mjModel: 'eq_solref' }],
		['eq_solimp', 'vec5', SOLIMP, { mjcf: 'solimp', usd: 'mjc:solimp', mjModel: 'eq_solimp' }],
	],
	shape: [
		['site_size_is_display', 'bool', false],
		['contype', 'i64', MUJOCO_MASK_UNSET, { usd: 'mjc:contype' }],
		['conaffinity', 'i64', MUJOCO_MASK_UNSET, { usd: 'mjc:conaffinity' }],
		['collision_mask_domain', 'i64', -1],
		['condim', 'i32', 3, { usd: 'mjc:condim', mjModel: 'geom_condim' }],
		['geom_group', 'i32', 0, { mjcf: 'group', usd: 'mjc:group', mjModel: 'geom_group' }],
		['geom_priority', 'i32', 0, { mjcf: 'priority', usd: 'mjc:priority', mjModel: 'geom_priority' }],
		['geom_solimp', 'vec5', SOLIMP, { mjcf: 'solimp', usd: 'mjc:solimp', mjModel: 'geom_solimp' }],
		['geom_solmix', 'f64', 1, { mjcf: 'solmix', usd: 'mjc:solmix', mjModel: 'geom_solmix' }],
		['solref', 'vec2', [0, 0], { usd: 'mjc:solref' }],
		['solref_mode', 'i32', 2, { usd: '*', usdRule: 'solrefMode', usdSource: 'mjc:solref' }],
	],
	jointDof: [
		['limit_margin', 'f64', 0, { mjcf: 'margin', usd: 'mjc:margin', mjModel: 'jnt_margin' }],
		['solimplimit', 'vec5', SOLIMP, { usd: 'mjc:solimplimit', mjModel: 'jnt_solimp' }],
		['solreflimit', 'vec2', [0, 0], { usd: 'mjc:solreflimit' }],
		['solreflimit_mode', 'i32', 0, { usd: '*', usdRule: 'solreflimitMode', usdSource: 'mjc:solreflimit' }],
		['solreflimit_gain_baseline', 'vec2', [NO_GAIN, NO_GAIN]],
		['solreffriction', 'vec2', SOLREF, { usd: 'mjc:solreffriction', mjModel: 'dof_solref' }],
		['solimpfriction', 'vec5', SOLIMP, { usd: 'mjc:solimpfriction', mjModel: 'dof_solimp' }],
		['dof_passive_stiffness', 'f64', 0, { mjcf: 'stiffness', usd: 'mjc:stiffness', mjModel: 'jnt_stiffness' }],
		['dof_springref', 'f64', 0, { mjcf: 'springref', mjcfRule: 'angle', usd: 'mjc:springref' }],
		['dof_ref', 'f64', 0, { mjcf: 'ref', mjcfRule: 'angle', usd: 'mjc:ref' }],
		['jnt_actgravcomp', 'bool', false, { mjcf: 'actuatorgravcomp', usd: 'mjc:actuatorgravcomp' }],
		['joint_dof_label', 'string', '', { usd: '*', usdRule: 'jointDofLabel' }],
	],
	body: [
		['gravcomp', 'f64', 0, { usd: 'mjc:gravcomp', mjModel: 'body_gravcomp' }],
		['sleep_policy', 'i32', 0, { mjcf: 'sleep', mjcfRule: 'sleep', usd: 'mjc:sleep', usdRule: 'sleep' }],
	],
	world: [
		['impratio', 'f64', 1, { usd: 'mjc:option:impratio', mjModel: 'opt.impratio' }],
		['tolerance', 'f64', 1e-8, { usd: 'mjc:option:tolerance', mjModel: 'opt.tolerance' }],
		['ls_tolerance', 'f64', 0.01, { usd: 'mjc:option:ls_tolerance', mjModel: 'opt.ls_tolerance' }],
		['ccd_tolerance', 'f64', 1e-6, { usd: 'mjc:option:ccd_tolerance', mjModel: 'opt.ccd_tolerance' }],
		['sleep_tolerance', 'f64', 0.001, { usd: 'mjc:option:sleep_tolerance', mjModel: 'opt.sleep_tolerance' }],
		['density', 'f64', 0, { usd: 'mjc:option:density', mjModel: 'opt.density' }],
		['viscosity', 'f64', 0, { usd: 'mjc:option:viscosity', mjModel: 'opt.viscosity' }],
		['wind', 'vec3', [0, 0, 0], { usd: 'mjc:option:wind', mjModel: 'opt.wind' }],
		['magnetic', 'vec3', [0, -0.5, 0], { usd: 'mjc:option:magnetic', mjModel: 'opt.magnetic' }],
	],
	once: [
		['enable_sleeping', 'bool', false, { mjcf: 'sleep', mjcfRule: 'enable' }],
		['iterations', 'i32', 100, { usd: 'mjc:option:iterations' }],
		['ls_iterations', 'i32', 50, { usd: 'mjc:option:ls_iterations' }],
		['ccd_iterations', 'i32', 35, { usd: 'mjc:option:ccd_iterations' }],
		['sdf_iterations', 'i32', 10, { usd: 'mjc:option:sdf_iterations' }],
		['sdf_initpoints', 'i32', 40, { usd: 'mjc:option:sdf_initpoints' }],
		['integrator', 'i32', 3, { mjcfRule: 'integrator', usd: 'mjc:option:integrator', usdRule: 'integrator' }],
		['solver', 'i32', 2, { mjcfRule: 'solver', usd: 'mjc:option:solver', usdRule: 'solver' }],
		['cone', 'i32', 0, { mjcfRule: 'cone', usd: 'mjc:option:cone', usdRule: 'cone' }],
		['jacobian', 'i32', 2, { mjcfRule: 'jacobian', usd: 'mjc:option:jacobian', usdRule: 'jacobian' }],
		['autolimits', 'bool', true, { mjcfRule: 'bool' }],
	],
	'mujoco:pair': [
		['pair_world', 'i32', 0, { references: 'world' }],
		['pair_geom1', 'i32', -1, { mjcf: 'geom1', references: 'shape' }],
		['pair_geom2', 'i32', -1, { mjcf: 'geom2', references: 'shape' }],
		['pair_condim', 'i32', 3, { mjcf: 'condim', mjModel: 'pair_dim' }],
		['pair_solref', 'vec2', SOLREF, { mjcf: 'solref', mjModel: 'pair_solref' }],
		['pair_solreffriction', 'vec2', SOLREF, { mjcf: 'solreffriction', mjModel: 'pair_solreffriction' }],
		['pair_solimp', 'vec5', SOLIMP, { mjcf: 'solimp', mjModel: 'pair_solimp' }],
		['pair_margin', 'f64', 0, { mjcf: 'margin', mjModel: 'pair_margin' }],
		['pair_gap', 'f64', 0, { mjcf: 'gap', mjModel: 'pair_gap' }],
		['pair_friction', 'vec5', [1, 1, 0.005, 0.0001, 0.0001], { mjcf: 'friction', mjModel: 'pair_friction' }],
	],
	'mujoco:actuator': [
		// joints by degree of freedom; the numbers of the kinds are Newton's own
		[
			'actuator_trnid',
			'vec2i',
			[-1, -1],
			{
				referencesBy: {
					attribute: 'mujoco:actuator_trntype',
					entities: { 0: 'jointDof', 1: 'jointDof', 2: 'mujoco:tendon', 3: 'shape', 4: 'body', 5: 'shape' },
				},
			},
		],
		['actuator_target_label', 'string', '', { usd: '*', usdRule: 'targetPath', usdSource: 'mjc:target' }],
		['actuator_articulation', 'i32', -1, { references: 'articulation' }],
		['actuator_label', 'string', '', { mjcf: 'name', usd: '*', usdRule: 'primPath' }],
		[
			'actuator_trntype',
			'i32',
			0,
			{ mjcf: 'trntype', mjcfRule: 'trntype', usd: '*', usdRule: 'transmission', usdSource: 'mjc:target' },
		],
		['actuator_dyntype', 'i32', 0, { mjcf: 'dyntype', mjcfRule: 'dyntype', usd: 'mjc:dynType', usdRule: 'dyntype' }],
		[
			'actuator_gaintype',
			'i32',
			0,
			{ mjcf: 'gaintype', mjcfRule: 'gaintype', usd: 'mjc:gainType', usdRule: 'gaintype' },
		],
		[
			'actuator_biastype',
			'i32',
			0,
			{ mjcf: 'biastype', mjcfRule: 'biastype', usd: 'mjc:biasType', usdRule: 'biastype' },
		],
		['actuator_world', 'i32', -1, { references: 'world' }],
		[
			'actuator_ctrllimited',
			'i32',
			2,
			{ mjcf: 'ctrllimited', mjcfRule: 'tristate', usd: '*', usdRule: 'ctrlLimited', usdSource: 'mjc:ctrlLimited' },
		],
		[
			'actuator_forcelimited',
			'i32',
			2,
			{ mjcf: 'forcelimited', mjcfRule: 'tristate', usd: '*', usdRule: 'limited', usdSource: 'mjc:forceLimited' },
		],
		[
			'actuator_ctrlrange',
			'vec2',
			[0, 0],
			{ mjcf: 'ctrlrange', usd: '*', usdRule: 'ctrlRange', usdSource: 'mjc:ctrlRange', mjModel: 'actuator_ctrlrange' },
		],
		[
			'actuator_has_ctrlrange',
			'i32',
			0,
			{ mjcf: 'ctrlrange', mjcfRule: 'presence', usd: '*', usdRule: 'hasCtrlRange', usdSource: 'mjc:ctrlRange' },
		],
		[
			'actuator_forcerange',
			'vec2',
			[0, 0],
			{ mjcf: 'forcerange', usd: '*', usdRule: 'range', usdSource: 'mjc:forceRange', mjModel: 'actuator_forcerange' },
		],
		[
			'actuator_has_forcerange',
			'i32',
			0,
			{ mjcf: 'forcerange', mjcfRule: 'presence', usd: '*', usdRule: 'hasRange', usdSource: 'mjc:forceRange' },
		],
		['actuator_gear', 'vec6', [1, 0, 0, 0, 0, 0], { mjcf: 'gear', usd: 'mjc:gear', mjModel: 'actuator_gear' }],
		['actuator_cranklength', 'f64', 0, { mjcf: 'cranklength', mjModel: 'actuator_cranklength' }],
		[
			'actuator_dynprm',
			'vec10',
			[1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
			{ mjcf: 'dynprm', usd: 'mjc:dynPrm', mjModel: 'actuator_dynprm' },
		],
		[
			'actuator_gainprm',
			'vec10',
			[1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
			{ mjcf: 'gainprm', usd: 'mjc:gainPrm', mjModel: 'actuator_gainprm' },
		],
		[
			'actuator_biasprm',
			'vec10',
			[0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
			{ mjcf: 'biasprm', usd: 'mjc:biasPrm', mjModel: 'actuator_biasprm' },
		],
		[
			'actuator_actlimited',
			'i32',
			2,
			{ mjcf: 'actlimited', mjcfRule: 'tristate', usd: '*', usdRule: 'limited', usdSource: 'mjc:actLimited' },
		],
		[
			'actuator_actrange',
			'vec2',
			[0, 0],
			{ mjcf: 'actrange', usd: '*', usdRule: 'range', usdSource: 'mjc:actRange', mjModel: 'actuator_actrange' },
		],
		[
			'actuator_has_actrange',
			'i32',
			0,
			{ mjcf: 'actrange', mjcfRule: 'presence', usd: '*', usdRule: 'hasRange', usdSource: 'mjc:actRange' },
		],
		['actuator_actdim', 'i32', -1, { mjcf: 'actdim', usd: 'mjc:actDim' }],
		['actuator_actearly', 'bool', false, { mjcf: 'actearly', mjcfRule: 'bool', usd: 'mjc:actEarly', usdRule: 'bool' }],
		['ctrl', 'f64', 0, { owner: 'control' }],
		['ctrl_source', 'i32', 1],
		['ctrl_type', 'i32', 2],
	],
	'mujoco:tendon': [
		['tendon_world', 'i32', 0, { references: 'world' }],
		['tendon_stiffness', 'f64', 0, { mjcf: 'stiffness', usd: 'mjc:stiffness', mjModel: 'tendon_stiffness' }],
		['tendon_damping', 'f64', 0, { mjcf: 'damping', usd: 'mjc:damping', mjModel: 'tendon_damping' }],
		[
			'tendon_frictionloss',
			'f64',
			0,
			{ mjcf: 'frictionloss', usd: 'mjc:frictionloss', mjModel: 'tendon_frictionloss' },
		],
		['tendon_articulation', 'i32', -1, { references: 'articulation' }],
		['tendon_limited', 'i32', 2, { mjcf: 'limited', mjcfRule: 'tristate', usd: 'mjc:limited', usdRule: 'tristate' }],
		[
			'tendon_range',
			'vec2',
			[0, 0],
			{ mjcf: 'range', usd: 'mjc:range:min', usdRule: 'range', usdSource: 'mjc:range', mjModel: 'tendon_range' },
		],
		['tendon_margin', 'f64', 0, { mjcf: 'margin', usd: 'mjc:margin', mjModel: 'tendon_margin' }],
		[
			'tendon_solref_limit',
			'vec2',
			SOLREF,
			{ mjcf: 'solreflimit', usd: 'mjc:solreflimit', mjModel: 'tendon_solref_lim' },
		],
		[
			'tendon_solimp_limit',
			'vec5',
			SOLIMP,
			{ mjcf: 'solimplimit', usd: 'mjc:solimplimit', mjModel: 'tendon_solimp_lim' },
		],
		[
			'tendon_solref_friction',
			'vec2',
			SOLREF,
			{ mjcf: 'solreffriction', usd: 'mjc:solreffriction', mjModel: 'tendon_solref_fri' },
		],
		[
			'tendon_solimp_friction',
			'vec5',
			SOLIMP,
			{ mjcf: 'solimpfriction', usd: 'mjc:solimpfriction', mjModel: 'tendon_solimp_fri' },
		],
		['tendon_armature', 'f64', 0, { mjcf: 'armature', usd: 'mjc:armature', mjModel: 'tendon_armature' }],
		['tendon_springlength', 'vec2', [-1, -1], { mjcf: 'springlength', usd: 'mjc:springlength' }],
		['tendon_joint_adr', 'i32', 0, { usd: '*', usdRule: 'tendonJointAdr', references: 'mujoco:tendon_joint' }],
		['tendon_joint_num', 'i32', 0, { usd: '*', usdRule: 'tendonJointNum' }],
		[
			'tendon_actuator_force_range',
			'vec2',
			[0, 0],
			{
				mjcf: 'actuatorfrcrange',
				usd: 'mjc:actuatorfrcrange:min',
				usdRule: 'range',
				usdSource: 'mjc:actuatorfrcrange',
				mjModel: 'tendon_actfrcrange',
			},
		],
		[
			'tendon_actuator_force_limited',
			'i32',
			2,
			{ mjcf: 'actuatorfrclimited', mjcfRule: 'tristate', usd: 'mjc:actuatorfrclimited', usdRule: 'tristate' },
		],
		['tendon_label', 'string', '', { mjcf: 'name', usd: '*', usdRule: 'primPath' }],
		['tendon_type', 'i32', 0],
		['tendon_wrap_adr', 'i32', 0, { references: 'mujoco:tendon_wrap' }],
		['tendon_wrap_num', 'i32', 0],
	],
	'mujoco:tendon_joint': [
		['tendon_joint', 'i32', -1, { references: 'joint' }],
		['tendon_joint_articulation', 'i32', -1, { references: 'articulation' }],
		['tendon_coef', 'f64', 0, { mjcf: 'coef' }],
	],
	'mujoco:tendon_wrap': [
		['tendon_wrap_type', 'i32', 0],
		['tendon_wrap_articulation', 'i32', -1, { references: 'articulation' }],
		['tendon_wrap_shape', 'i32', -1, { references: 'shape' }],
		['tendon_wrap_sidesite', 'i32', -1, { references: 'shape' }],
		['tendon_wrap_prm', 'f64', 0],
	],
};
