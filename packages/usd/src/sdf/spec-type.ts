/** Kinds of specs, with the numbers that crate files use. */
export const SpecType = {
	unknown: 0,
	attribute: 1,
	connection: 2,
	expression: 3,
	mapper: 4,
	mapperArg: 5,
	prim: 6,
	pseudoRoot: 7,
	relationship: 8,
	relationshipTarget: 9,
	variant: 10,
	variantSet: 11,
} as const;
export type SpecType = (typeof SpecType)[keyof typeof SpecType];
