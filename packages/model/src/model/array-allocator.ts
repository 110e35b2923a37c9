/** Arrays of numbers that models, states and controls are made of. @public */
export type NumberArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/**
 * Gives the array that a new state or control uses for one of its names and that starts with these numbers: a copy, unless
 * its memory is to be another's, such as a `SharedArrayBuffer`. Custom attributes have the name `attribute/KEY`. @public
 */
export type ArrayAllocator = <T extends NumberArray>(initial: T, name: string) => T;

/** Keeps numbers in a copy of their own. */
export const copyArray: ArrayAllocator = (initial) => initial.slice() as typeof initial;
