import { isKinematic } from '../convert/add-bodies.ts';
import type { Conversion } from '../convert/conversion.ts';
import { collidesWithCarriers } from '../convert/parent-contacts.ts';

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
		if (body >= 0 && element.get('mocap') === 'true' && !isKinematic(conversion, body)) {
			element.delete('mocap');
		}
		const isMoved = moving.has(name) || element.child('joint') !== undefined;
		if (isMoved) moving.add(name);
		for (const child of element.children) {
			const masks = [child.get('contype'), child.get('conaffinity')];
			if (child.name === 'geom' && masks.some((mask) => mask !== '0')) colliding.add(name);
			if (child.name !== 'body') continue;
			parents.set(child.get('name')!, name);
			// parents come before their children
			if (isMoved) moving.add(child.get('name')!);
		}
	}
	const { contact, root } = sections;
	const parentsCollide = keepsParentContacts(conversion);
	const kept = contact.children.filter((element) => {
		if (element.name !== 'exclude') return true;
		const [a, b] = [element.get('body1')!, element.get('body2')!];
		const areNeighbours = (parents.get(b) === a && moving.has(a)) || (parents.get(a) === b && moving.has(b));
		const isNatural = (areNeighbours && !parentsCollide) || !(moving.has(a) || moving.has(b));
		return colliding.has(a) && colliding.has(b) && !isNatural;
	});
	contact.replaceChildren(kept);
	if (kept.length === 0 && contact.parent === root) root.remove(contact);
}

/** Whether bodies collide with what carries them in the file, where fixed roots do not move; takes the switch out if not. */
function keepsParentContacts(conversion: Conversion): boolean {
	const { sections, shapes, attributes } = conversion;
	const flag = sections.option.child('flag');
	if (flag?.get('filterparent') !== 'disable') return false;
	if (attributes.written('flag', 0)['filterparent'] === 'disable') return true;
	if (collidesWithCarriers(conversion, shapes, true)) return true;
	flag.delete('filterparent');
	if (flag.attributes.length === 0) sections.option.remove(flag);
	return false;
}
