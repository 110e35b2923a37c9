import type { Prim } from '@manyworlds/usd';
import { primvarsWithInheritance } from '@manyworlds/usd/internal';
import type { OtherPrimvar, PartNeeds, UsdSurface } from './usd-surface.ts';

/** Primvars of a mesh that its materials do not use. */
export interface OtherPrimvars {
	/** Those that can be attributes of glTF, under names that begin with an underscore (glTF 2.0, 3.7.2.1). */
	readonly writable: readonly OtherPrimvar[];
	/** Names of those that are no numbers, too wide, or do not fit to the mesh. */
	readonly unwritable: readonly string[];
}

/** Primvars that have a place of their own, or are there for want of a material. */
const PLACED = /^(?:normals|displayColor|displayOpacity|skel:.*)$/;

/** Finds what a mesh says of itself beyond its material, in the order of the names. */
export function otherPrimvars(prim: Prim, surface: UsdSurface, parts: readonly PartNeeds[]): OtherPrimvars {
	const used = new Set(
		parts.flatMap(({ uvs, color, opacity }) => [...uvs.map(({ primvar }) => primvar), color, opacity]),
	);
	const names = primvarsWithInheritance(prim)
		.map(({ name }) => name)
		.filter((name) => !used.has(name) && !PLACED.test(name))
		.sort();
	const writable: OtherPrimvar[] = [];
	const unwritable: string[] = [];
	const taken = new Set<string>();
	for (const primvar of names) {
		const width = surface.primvar(primvar)?.width;
		if (width === undefined || width > 4) {
			unwritable.push(primvar);
			continue;
		}
		// viewers take names without regard to case
		const plain = `_${primvar.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
		let attribute = plain;
		for (let count = 2; taken.has(attribute); count++) attribute = `${plain}_${count}`;
		taken.add(attribute);
		writable.push({ primvar, attribute });
	}
	return { writable, unwritable };
}
