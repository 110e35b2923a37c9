/** How a node's opinions reach the prim. Numbers order sibling arcs from strong to weak (AOUSD 10.4). */
export const ArcType = {
	root: 0,
	inherit: 1,
	variant: 2,
	relocate: 3,
	reference: 4,
	payload: 5,
	specialize: 6,
} as const;
export type ArcType = (typeof ArcType)[keyof typeof ArcType];

/** Names of the arc types, by number. */
export const ARC_NAMES: readonly string[] = [
	'root',
	'inherit',
	'variant',
	'relocate',
	'reference',
	'payload',
	'specialize',
];

/** Whether an arc is followed for the sake of a class: its target is implied across references. */
export function isClassArc(type: ArcType): boolean {
	return type === ArcType.inherit || type === ArcType.specialize;
}
