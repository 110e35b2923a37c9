import { isObject, type Json } from '../src/json.ts';

/** Keys that lead to a place in a JSON value; the last one may say what to do there. */
export type Path = readonly (string | number)[];

const EDITS = ['+item', '-item', '+key', '-key'] as const;

/** Every place of a value where one thing can change: leaves, items and keys to add and to drop. */
function* places(value: Json, path: Path): Generator<Path> {
	if (Array.isArray(value)) {
		for (const [i, item] of value.entries()) yield* places(item, [...path, i]);
		yield [...path, '+item'];
		if (value.length > 0) yield [...path, '-item'];
	} else if (isObject(value)) {
		for (const [key, item] of Object.entries(value)) {
			yield* places(item, [...path, key]);
			yield [...path, key, '-key'];
		}
		yield [...path, '+key'];
	} else yield path;
}

/** Changes one place. Numbers change by more than any tolerance allows for in their array. */
export function change(root: Json, path: Path): void {
	const last = path.at(-1)!;
	const edit = EDITS.find((one) => one === last);
	const parents = path.slice(0, edit === '-key' ? -2 : -1);
	type Parent = unknown[] & Record<string | number, unknown>;
	const at = parents.reduce((value, key) => value[key] as Parent, root as unknown as Parent);
	if (edit === '+item') at.push(at.length > 0 ? structuredClone(at[0]) : 0);
	else if (edit === '-item') at.pop();
	else if (edit === '+key') at.novelty = 1;
	else if (edit === '-key') delete at[path.at(-2)!];
	else {
		const value = at[last] as null | boolean | number | string;
		const around: readonly unknown[] = Array.isArray(at) ? at : [value];
		const finite = around.map((one) => (typeof one === 'number' ? Math.abs(one) : 0));
		if (typeof value === 'number') at[last] = value + 1 + Math.ceil(0.1 * Math.max(...finite));
		else at[last] = typeof value === 'boolean' ? !value : value === null ? 1 : `${value}x`;
	}
}

/** Places with another pattern each, drawn by a fixed rule; `isFree` tells of those that may be anything. */
export function somePlaces(
	value: Json,
	root: Path,
	draw: { readonly count: number; readonly seed: number; isFree(path: Path): boolean },
): Path[] {
	const kinds = new Map<string, Path[]>();
	for (const path of places(value, root)) {
		if (draw.isFree(path)) continue;
		const kind = path.map((key) => (typeof key === 'number' ? '#' : key)).join('.');
		const list = kinds.get(kind);
		if (list === undefined) kinds.set(kind, [path]);
		else list.push(path);
	}
	let state = draw.seed;
	const pick = <T>(list: readonly T[]): T => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return list[Math.floor((state / 2 ** 32) * list.length)]!;
	};
	const keys = [...kinds.keys()];
	return Array.from({ length: draw.count }, () => pick(kinds.get(pick(keys))!));
}
