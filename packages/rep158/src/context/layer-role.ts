import type { LayerCensus } from './layer-census.ts';
import type { VendorRegistry } from './vendors.ts';

/** What a layer is for (REP 1.2.1). @public */
export type LayerRole =
	| 'entry'
	| 'base'
	| 'geometry'
	| 'materials'
	| 'instances'
	| 'physics'
	| 'ros'
	| 'proprietary'
	| 'other';

/** The role of a layer, how it was told, and for proprietary layers whose it is. @public */
export interface ClassifiedLayer {
	readonly role: LayerRole;
	readonly by: 'place' | 'name' | 'content';
	readonly vendor?: string;
}

const NAMES: readonly (readonly [LayerRole, RegExp])[] = [
	['materials', /^(?:materials?|looks?|shading|materials?library)$/],
	['instances', /^(?:instances?|parts?)$/],
	['geometry', /^(?:geometr(?:y|ies)|geo|geom|mesh(?:es)?|colliders?|geometr(?:y|ies)library)$/],
	['physics', /^(?:physics|ext_?physics|extendedphysics)$/],
	['ros', /^ros2?$/],
];

/**
 * Tells what a layer is for: the root layer is the entry, others by their file names, else by what they hold. @public
 *
 * @param stem - file name without folder and extension
 */
export function classifyLayer(
	census: LayerCensus,
	stem: string,
	isRoot: boolean,
	vendors: VendorRegistry,
): ClassifiedLayer {
	if (isRoot) return { role: 'entry', by: 'place' };
	const vendor = vendors.ofLayer(stem);
	if (vendor !== undefined) return { role: 'proprietary', by: 'name', vendor };
	const name = stem.toLowerCase();
	if (name === 'base') return { role: 'base', by: 'name' };
	const words = [name, ...name.split(/[^a-z0-9]+/)];
	for (const [role, pattern] of NAMES) if (words.some((word) => pattern.test(word))) return { role, by: 'name' };
	return { role: roleOfContent(census), by: 'content' };
}

/** Whether the name of a layer says that it is about physics. @public */
export function isNamedForPhysics(stem: string): boolean {
	const name = stem.toLowerCase();
	const pattern = NAMES.find(([role]) => role === 'physics')![1];
	return [name, ...name.split(/[^a-z0-9]+/)].some((word) => pattern.test(word));
}

/** File name of an identifier without folder, package brackets and extension. @public */
export function layerStem(identifier: string): string {
	const file =
		identifier
			.replace(/\]+$/, '')
			.split(/[/[\\]/)
			.at(-1) ?? '';
	return file.replace(/\.[^.]*$/, '');
}

function roleOfContent({ geometry, materials, physics, ros, vendors }: LayerCensus): LayerRole {
	const roles: LayerRole[] = [];
	if (geometry.count > 0) roles.push('geometry');
	if (materials.count > 0) roles.push('materials');
	if (physics.count > 0) roles.push('physics');
	if (ros.count > 0) roles.push('ros');
	// a layer of vendor opinions with a neutral name is not proprietary: nobody can tell from outside
	return roles.length === 1 && vendors.length === 0 ? roles[0]! : 'other';
}
