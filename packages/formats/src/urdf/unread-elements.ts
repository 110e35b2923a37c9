import type { Report } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';

/** Children that each element of URDF may have; what is not here is not read. */
export const URDF_CHILDREN: Readonly<Record<string, readonly string[]>> = {
	robot: ['link', 'joint', 'material'],
	link: ['inertial', 'visual', 'collision'],
	inertial: ['origin', 'mass', 'inertia'],
	visual: ['origin', 'geometry', 'material'],
	collision: ['origin', 'geometry', 'material'],
	geometry: ['box', 'sphere', 'cylinder', 'capsule', 'mesh'],
	material: ['color', 'texture'],
	joint: ['parent', 'child', 'origin', 'axis', 'dynamics', 'limit', 'mimic'],
};

/** Elements of which only the first counts. */
const SINGLE: ReadonlySet<string> = new Set([
	'inertial',
	'origin',
	'geometry',
	'mass',
	'inertia',
	'color',
	'texture',
	'parent',
	'child',
	'axis',
	'dynamics',
	'limit',
	'mimic',
]);

/** Reports every element that is not read, by name and line, and gives them; what is inside of it is not read either. */
export function reportUnread(root: XmlElement, report: Report): XmlElement[] {
	const unread: XmlElement[] = [];
	const open = [root];
	for (let element = open.pop(); element !== undefined; element = open.pop()) {
		const known = URDF_CHILDREN[element.name] ?? [];
		const seen = new Set<string>();
		for (const child of element.children) {
			const isSecond = SINGLE.has(child.name) && seen.has(child.name) && known.includes(child.name);
			seen.add(child.name);
			// a material inside of a visual is read as one at the robot is
			if (known.includes(child.name) && !isSecond) {
				open.push(child);
				continue;
			}
			const what = isSecond ? `a second <${child.name}>` : `<${child.name}>`;
			const message = `${what} in <${element.name}> is not imported${hint(child.name)}`;
			report.add(createDiagnostic('URDF008', message, child.location));
			unread.push(child);
		}
	}
	return unread;
}

function hint(name: string): string {
	const reason = REASONS[name];
	return reason === undefined ? '' : `: ${reason}`;
}

/** Why well-known elements have no counterpart in a model. */
export const REASONS: Readonly<Record<string, string>> = {
	calibration: 'a model has no reference switches',
	gazebo: 'it holds settings of another simulator',
	safety_controller: 'a model has no soft limits',
	sensor: 'a model has no sensors',
	transmission: 'a model drives joints directly',
	ros2_control: 'a model drives joints directly',
};
