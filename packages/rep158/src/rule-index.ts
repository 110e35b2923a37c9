import type { Rule } from './rule.ts';
import { RULES } from './rules/index.ts';

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

/**
 * The rule with an identifier; undefined for other texts.
 * @example
 * ```ts
 * const level = findRule('R1.1.6')?.level; // 'must'
 * ```
 * @public
 */
export function findRule(id: string): Rule | undefined {
	return BY_ID.get(id);
}

/** Titles of the sections of the REP that have rules. @public */
export const SECTION_TITLES: Readonly<Record<string, string>> = {
	'1.1': 'Coordinate systems and units',
	'1.2': 'Asset structure',
	'1.2.1': 'Functional layers',
	'1.2.2': 'Model hierarchy',
	'1.2.3': 'Composition arcs',
	'1.2.4': 'Variants',
	'1.2.5': 'Asset management',
	'1.2.6': 'Parallel simulation and instancing',
	'1.3': 'Bodies and joints',
	'1.3.1': 'Collisions',
	'1.3.2': 'Visual representation',
	'1.3.3': 'Self-collision filtering',
	'1.3.4': 'Contact physics',
	'1.4': 'Vendor isolation',
	'2': 'ROS integration',
	'2.1': 'ROS context',
	'2.1.1': 'Namespaces',
	'2.2': 'Interface placement',
	'2.3': 'Interface resolution',
	'2.4': 'Topics',
	'2.5': 'Services',
	'2.6': 'Actions',
	'2.7': 'Frames and TF',
	'2.8': 'Optical frames',
	'2.9': 'Prohibited interfaces',
	'2.10': 'Joint names',
	'3': 'Export profile',
	'3.1': 'Materials',
	'3.2': 'Textures',
	'3.3': 'Shading networks',
	'3.4': 'Geometry',
	'3.5': 'Instancing',
	'3.6': 'Lights',
	'3.7': 'Variants on export',
	'3.8': 'Priorities on export',
	'4.2': 'Extension schemas',
	'4.2.1': 'Extension schemas',
	'4.2.2': 'Extended physics',
	'4.2.3': 'Control schemas',
	'4.2.4': 'Sensor schemas',
	'4.3': 'Compliant assets',
	'5': 'Tools',
};

/** Order of sections and of identifiers: number by number. @public */
export function compareSections(a: string, b: string): number {
	const [x, y] = [a, b].map((text) => text.replace(/^R/, '').split('.').map(Number)) as [number[], number[]];
	for (let i = 0; i < Math.max(x.length, y.length); i++) {
		const difference = (x[i] ?? -1) - (y[i] ?? -1);
		if (difference !== 0) return difference;
	}
	return 0;
}
