import type { XmlElement } from '@manyworlds/core/internal';
import type { XmlNames } from './xml-names.ts';

const DEFINED: Readonly<Record<string, string | undefined>> = {
	link: 'link',
	joint: 'joint',
	material: 'material',
	transmission: 'transmission',
	ros2_control: 'ros2_control',
};

function parentName(element: XmlElement): string {
	return element.parent?.name ?? '';
}

/** Names of URDF: links, joints, materials, and what refers to them. */
export const URDF_NAMES: XmlNames = {
	definition(element) {
		const kind = DEFINED[element.name];
		if (kind === undefined || parentName(element) !== 'robot') return undefined;
		return { kind, attribute: 'name' };
	},
	reference(element, attribute) {
		const parent = parentName(element);
		if (attribute === 'link' && (element.name === 'parent' || element.name === 'child')) return ['link'];
		if (attribute === 'joint' && element.name === 'mimic') return ['joint'];
		if (attribute === 'reference' && element.name === 'gazebo') return ['link', 'joint'];
		if (attribute === 'name' && element.name === 'joint' && (parent === 'transmission' || parent === 'ros2_control'))
			return ['joint'];
		if (attribute === 'name' && element.name === 'material' && (parent === 'visual' || parent === 'collision'))
			return ['material'];
		return [];
	},
	elements: {
		robot: {
			attributes: ['name', 'version'],
			children: ['link', 'joint', 'material', 'transmission', 'gazebo', 'ros2_control'],
		},
		link: { attributes: ['name'], children: ['inertial', 'visual', 'collision'] },
		inertial: { attributes: [], children: ['origin', 'mass', 'inertia'] },
		visual: { attributes: ['name'], children: ['origin', 'geometry', 'material'] },
		collision: { attributes: ['name'], children: ['origin', 'geometry'] },
		geometry: { attributes: [], children: ['box', 'sphere', 'cylinder', 'capsule', 'mesh'] },
		box: { attributes: ['size'], children: [] },
		sphere: { attributes: ['radius'], children: [] },
		cylinder: { attributes: ['radius', 'length'], children: [] },
		capsule: { attributes: ['radius', 'length'], children: [] },
		mesh: { attributes: ['filename', 'scale'], children: [] },
		origin: { attributes: ['xyz', 'rpy'], children: [] },
		mass: { attributes: ['value'], children: [] },
		inertia: { attributes: ['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'], children: [] },
		material: { attributes: ['name'], children: ['color', 'texture'] },
		color: { attributes: ['rgba'], children: [] },
		texture: { attributes: ['filename'], children: [] },
		joint: {
			attributes: ['name', 'type'],
			children: ['parent', 'child', 'origin', 'axis', 'limit', 'dynamics', 'mimic', 'safety_controller', 'calibration'],
		},
		parent: { attributes: ['link'], children: [] },
		child: { attributes: ['link'], children: [] },
		axis: { attributes: ['xyz'], children: [] },
		limit: { attributes: ['lower', 'upper', 'effort', 'velocity'], children: [] },
		dynamics: { attributes: ['damping', 'friction'], children: [] },
		mimic: { attributes: ['joint', 'multiplier', 'offset'], children: [] },
	},
	values(element, attribute) {
		if (element.name === 'joint' && attribute === 'type')
			return ['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar'];
		return [];
	},
	file(element, attribute) {
		return attribute === 'filename' && (element.name === 'mesh' || element.name === 'texture')
			? { folder: '' }
			: undefined;
	},
	isForeign(element) {
		for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent)
			if (at.name === 'gazebo') return true;
		return false;
	},
};
