import type { XmlElement } from '@manyworlds/core/internal';
import type { XmlNames } from './xml-names.ts';

const ACTUATORS = [
	'general',
	'motor',
	'position',
	'velocity',
	'intvelocity',
	'damper',
	'cylinder',
	'muscle',
	'adhesion',
	'plugin',
];

/** Kinds of things by the section or element that defines them. */
const DEFINED: Readonly<Record<string, string | undefined>> = {
	body: 'body',
	joint: 'joint',
	freejoint: 'joint',
	geom: 'geom',
	site: 'site',
	camera: 'camera',
	light: 'light',
	mesh: 'mesh',
	hfield: 'hfield',
	texture: 'texture',
	material: 'material',
	key: 'key',
	numeric: 'numeric',
	text: 'text',
	tuple: 'tuple',
	flex: 'flex',
	skin: 'skin',
};

/** Kinds of things by the attribute that names them. */
const NAMED: Readonly<Record<string, readonly string[] | undefined>> = {
	joint: ['joint'],
	joint1: ['joint'],
	joint2: ['joint'],
	jointinparent: ['joint'],
	body: ['body'],
	body1: ['body'],
	body2: ['body'],
	target: ['body'],
	geom: ['geom'],
	geom1: ['geom'],
	geom2: ['geom'],
	site: ['site'],
	site1: ['site'],
	site2: ['site'],
	sidesite: ['site'],
	refsite: ['site'],
	cranksite: ['site'],
	slidersite: ['site'],
	tendon: ['tendon'],
	tendon1: ['tendon'],
	tendon2: ['tendon'],
	actuator: ['actuator'],
	mesh: ['mesh'],
	hfield: ['hfield'],
	texture: ['texture'],
	material: ['material'],
	camera: ['camera'],
	class: ['class'],
	childclass: ['class'],
};

const SPATIAL = ['pos', 'quat', 'axisangle', 'euler', 'xyaxes', 'zaxis'];
const COMMON = ['name', 'class'];
const ACTUATOR_ATTRIBUTES = [
	...COMMON,
	'joint',
	'jointinparent',
	'tendon',
	'site',
	'refsite',
	'body',
	'ctrlrange',
	'ctrllimited',
	'forcerange',
	'forcelimited',
	'gear',
	'group',
];

function within(element: XmlElement, name: string): boolean {
	for (let at: XmlElement | undefined = element.parent; at !== undefined; at = at.parent)
		if (at.name === name) return true;
	return false;
}

/** Names of MJCF: bodies, joints, default classes and so on, and what refers to them. */
export const MJCF_NAMES: XmlNames = {
	definition(element) {
		if (element.name === 'default') return { kind: 'class', attribute: 'class' };
		if (within(element, 'default')) return undefined;
		const parent = element.parent?.name ?? '';
		if (parent === 'actuator') return { kind: 'actuator', attribute: 'name' };
		if (parent === 'tendon') return { kind: 'tendon', attribute: 'name' };
		if (parent === 'sensor') return { kind: 'sensor', attribute: 'name' };
		if (parent === 'equality') return { kind: 'equality', attribute: 'name' };
		if (parent === 'contact' || parent === 'fixed' || parent === 'spatial') return undefined;
		const kind = DEFINED[element.name];
		return kind === undefined ? undefined : { kind, attribute: 'name' };
	},
	reference(element, attribute) {
		if (element.name === 'default') return [];
		const parent = element.parent?.name ?? '';
		if (parent === 'sensor' && (attribute === 'objname' || attribute === 'refname')) {
			const type = element.get(attribute === 'objname' ? 'objtype' : 'reftype');
			return type === undefined ? [] : [type === 'xbody' ? 'body' : type];
		}
		if (attribute === 'name' && element.name === 'model') return [];
		return NAMED[attribute] ?? [];
	},
	elements: {
		mujoco: {
			attributes: ['model'],
			children: [
				'compiler',
				'option',
				'size',
				'statistic',
				'default',
				'asset',
				'worldbody',
				'contact',
				'equality',
				'tendon',
				'actuator',
				'sensor',
				'keyframe',
				'custom',
				'visual',
				'extension',
				'deformable',
				'include',
			],
		},
		compiler: {
			attributes: [
				'angle',
				'autolimits',
				'eulerseq',
				'meshdir',
				'texturedir',
				'assetdir',
				'inertiafromgeom',
				'balanceinertia',
				'boundmass',
				'boundinertia',
				'coordinate',
				'discardvisual',
				'strippath',
				'fitaabb',
				'fusestatic',
				'settotalmass',
			],
			children: [],
		},
		option: {
			attributes: [
				'timestep',
				'gravity',
				'wind',
				'magnetic',
				'density',
				'viscosity',
				'impratio',
				'integrator',
				'cone',
				'jacobian',
				'solver',
				'iterations',
				'tolerance',
				'noslip_iterations',
				'o_margin',
				'o_solref',
				'o_solimp',
			],
			children: ['flag'],
		},
		default: {
			attributes: ['class'],
			children: [
				'default',
				'geom',
				'joint',
				'site',
				'mesh',
				'material',
				'camera',
				'light',
				'pair',
				'equality',
				'tendon',
				...ACTUATORS,
			],
		},
		asset: { attributes: [], children: ['mesh', 'material', 'texture', 'hfield', 'skin', 'model'] },
		mesh: {
			attributes: [
				...COMMON,
				'file',
				'scale',
				'vertex',
				'face',
				'normal',
				'texcoord',
				'refpos',
				'refquat',
				'inertia',
				'maxhullvert',
				'smoothnormal',
			],
			children: [],
		},
		material: {
			attributes: [
				...COMMON,
				'texture',
				'texrepeat',
				'texuniform',
				'emission',
				'specular',
				'shininess',
				'reflectance',
				'metallic',
				'roughness',
				'rgba',
			],
			children: [],
		},
		texture: {
			attributes: [
				'name',
				'type',
				'file',
				'builtin',
				'rgb1',
				'rgb2',
				'mark',
				'markrgb',
				'random',
				'width',
				'height',
				'gridsize',
				'gridlayout',
			],
			children: [],
		},
		hfield: { attributes: ['name', 'file', 'nrow', 'ncol', 'elevation', 'size'], children: [] },
		worldbody: {
			attributes: [],
			children: ['body', 'geom', 'site', 'camera', 'light', 'frame', 'include', 'replicate'],
		},
		body: {
			attributes: ['name', 'childclass', 'mocap', 'gravcomp', 'user', ...SPATIAL],
			children: [
				'body',
				'joint',
				'freejoint',
				'geom',
				'site',
				'camera',
				'light',
				'inertial',
				'frame',
				'composite',
				'flexcomp',
				'include',
				'replicate',
				'attach',
			],
		},
		joint: {
			attributes: [
				...COMMON,
				'type',
				'group',
				'pos',
				'axis',
				'springdamper',
				'limited',
				'range',
				'actuatorfrclimited',
				'actuatorfrcrange',
				'stiffness',
				'ref',
				'springref',
				'armature',
				'damping',
				'frictionloss',
				'margin',
				'solreflimit',
				'solimplimit',
				'solreffriction',
				'solimpfriction',
				'user',
			],
			children: [],
		},
		freejoint: { attributes: ['name', 'group', 'align'], children: [] },
		geom: {
			attributes: [
				...COMMON,
				'type',
				'contype',
				'conaffinity',
				'condim',
				'group',
				'priority',
				'size',
				'material',
				'rgba',
				'friction',
				'mass',
				'density',
				'shellinertia',
				'solmix',
				'solref',
				'solimp',
				'margin',
				'gap',
				'fromto',
				'mesh',
				'hfield',
				'fitscale',
				'user',
				...SPATIAL,
			],
			children: [],
		},
		site: {
			attributes: [...COMMON, 'type', 'group', 'material', 'size', 'fromto', 'rgba', 'user', ...SPATIAL],
			children: [],
		},
		camera: { attributes: [...COMMON, 'mode', 'target', 'fovy', 'ipd', 'resolution', ...SPATIAL], children: [] },
		light: {
			attributes: [
				...COMMON,
				'mode',
				'target',
				'directional',
				'castshadow',
				'active',
				'pos',
				'dir',
				'diffuse',
				'ambient',
				'specular',
			],
			children: [],
		},
		inertial: { attributes: ['mass', 'diaginertia', 'fullinertia', ...SPATIAL], children: [] },
		contact: { attributes: [], children: ['pair', 'exclude'] },
		pair: {
			attributes: [...COMMON, 'geom1', 'geom2', 'condim', 'friction', 'solref', 'solimp', 'margin', 'gap'],
			children: [],
		},
		exclude: { attributes: ['name', 'body1', 'body2'], children: [] },
		equality: { attributes: [], children: ['connect', 'weld', 'joint', 'tendon', 'flex'] },
		connect: {
			attributes: [...COMMON, 'active', 'body1', 'body2', 'anchor', 'site1', 'site2', 'solref', 'solimp'],
			children: [],
		},
		weld: {
			attributes: [
				...COMMON,
				'active',
				'body1',
				'body2',
				'relpose',
				'anchor',
				'site1',
				'site2',
				'torquescale',
				'solref',
				'solimp',
			],
			children: [],
		},
		tendon: { attributes: [], children: ['fixed', 'spatial'] },
		fixed: {
			attributes: [...COMMON, 'group', 'limited', 'range', 'springlength', 'stiffness', 'damping', 'frictionloss'],
			children: ['joint'],
		},
		spatial: {
			attributes: [
				...COMMON,
				'group',
				'limited',
				'range',
				'springlength',
				'stiffness',
				'damping',
				'frictionloss',
				'width',
				'rgba',
				'material',
			],
			children: ['site', 'geom', 'pulley'],
		},
		actuator: { attributes: [], children: ACTUATORS },
		...Object.fromEntries(
			ACTUATORS.map((name) => [
				name,
				{
					attributes: [
						...ACTUATOR_ATTRIBUTES,
						'kp',
						'kv',
						'dyntype',
						'gaintype',
						'biastype',
						'dynprm',
						'gainprm',
						'biasprm',
					],
					children: [],
				},
			]),
		),
		sensor: {
			attributes: [],
			children: [
				'accelerometer',
				'gyro',
				'velocimeter',
				'force',
				'torque',
				'magnetometer',
				'rangefinder',
				'touch',
				'jointpos',
				'jointvel',
				'actuatorpos',
				'actuatorvel',
				'actuatorfrc',
				'framepos',
				'framequat',
				'framelinvel',
				'frameangvel',
				'subtreecom',
				'clock',
				'user',
			],
		},
		keyframe: { attributes: [], children: ['key'] },
		key: { attributes: ['name', 'time', 'qpos', 'qvel', 'act', 'ctrl', 'mpos', 'mquat'], children: [] },
		include: { attributes: ['file'], children: [] },
	},
	values(element, attribute) {
		if (attribute === 'type' && element.name === 'joint') return ['hinge', 'slide', 'ball', 'free'];
		if (attribute === 'type' && element.name === 'geom')
			return ['plane', 'hfield', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf'];
		if (attribute === 'angle' && element.name === 'compiler') return ['degree', 'radian'];
		if (attribute === 'integrator') return ['Euler', 'RK4', 'implicit', 'implicitfast'];
		if (attribute === 'cone') return ['pyramidal', 'elliptic'];
		if (attribute === 'solver') return ['PGS', 'CG', 'Newton'];
		return [];
	},
	file(element, attribute, root) {
		if (attribute !== 'file') return undefined;
		if (element.name === 'include') return { folder: '' };
		const compilers = root.childrenNamed('compiler');
		const last = (name: string): string =>
			compilers
				.map((one) => one.get(name))
				.filter((one) => one !== undefined)
				.at(-1) ?? '';
		if (element.name === 'mesh' || element.name === 'hfield') return { folder: last('meshdir') || last('assetdir') };
		return element.name === 'texture' ? { folder: last('texturedir') || last('assetdir') } : undefined;
	},
	isForeign: () => false,
};
