import { XmlText } from './xml-text.ts';

/** An SRDF that says which links of a robot do not collide, as MoveIt reads it. */
export function srdfText(robot: string, pairs: Iterable<readonly [string, string]>): string {
	const root = new XmlText('robot', { name: robot });
	for (const [link1, link2] of pairs) root.add('disable_collisions', { link1, link2, reason: 'Never' });
	return root.toString();
}
