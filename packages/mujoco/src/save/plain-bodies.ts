import { isKinematic } from '../convert/add-bodies.ts';
import type { Conversion } from '../convert/conversion.ts';

/**
 * Leaves out what the solver needs and a file does not: mocap bodies of fixed roots, which MJCF has as bodies without
 * joints, and exclusions that have no effect because nothing of one body collides or MuJoCo makes them itself.
 */
export function writePlainBodies(conversion: Conversion): void {
	const { bodyElements, bodyNames, sections } = conversion;
	const colliding = new Set<string>();
	const moving = new Set<string>();
	const parents = new Map<string, string>();
	for (const [body, element] of bodyElements) {
		const name = bodyNames.get(body)!;
		if (body >= 0 && element.attributes.get('mocap') === 'true' && !isKinematic(conversion, body)) {
			element.attributes.delete('mocap');
		}
		const isMoved = moving.has(name) || element.children.some(({ tag }) => tag === 'joint');
		if (isMoved) moving.add(name);
		for (const child of element.children) {
			const masks = [child.attributes.get('contype'), child.attributes.get('conaffinity')];
			if (child.tag === 'geom' && masks.some((mask) => mask !== '0')) colliding.add(name);
			if (child.tag !== 'body') continue;
			parents.set(child.attributes.get('name')!, name);
			// parents come before their children
			if (isMoved) moving.add(child.attributes.get('name')!);
		}
	}
	const { contact, root } = sections;
	const kept = contact.children.filter(({ tag, attributes }) => {
		if (tag !== 'exclude') return true;
		const [a, b] = [attributes.get('body1')!, attributes.get('body2')!];
		const isNatural = (parents.get(b) === a && moving.has(a)) || (parents.get(a) === b && moving.has(b));
		return colliding.has(a) && colliding.has(b) && !isNatural;
	});
	contact.children.splice(0, contact.children.length, ...kept);
	if (kept.length === 0 && root.children.includes(contact)) root.children.splice(root.children.indexOf(contact), 1);
}
