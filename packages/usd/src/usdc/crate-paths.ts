import { quote } from '@manyworlds/core';
import { Path, PathKind } from '../sdf/path.ts';

/** The three arrays of the PATHS section. */
export interface EncodedPaths {
	/** Number of paths that other sections may refer to; those not encoded are the empty path. */
	readonly pathCount: number;
	/** Index of each encoded path. */
	readonly indexes: Uint32Array;
	/** Token of the last element; negative for a property. */
	readonly elements: Int32Array;
	/** > 0: child follows and sibling is that far ahead; 0: sibling follows; -1: child follows; -2: neither. */
	readonly jumps: Int32Array;
}

/** Most problems of one kind that are reported one by one. */
const MAX_FAULTS = 16;
/** Paths with the index of another after which the rest of the section is not looked at. */
const MAX_REPEATED = 1000;

/** Tells the first problems with paths. Messages are made only when they are told: a damaged file may have millions. */
export class PathFaults {
	readonly #tell: (item: number, message: string) => void;
	#count = 0;

	constructor(tell: (item: number, message: string) => void) {
		this.#tell = tell;
	}

	/** Something is wrong with the path at `item`. */
	add(item: number, message: () => string): void {
		if (this.#count++ < MAX_FAULTS) this.#tell(item, message());
	}
}

/** How many items there are before too many of them repeat the index of an earlier one. */
export function uniqueRun(indexes: Uint32Array, pathCount: number): number {
	const seen = new Uint8Array(pathCount);
	let repeated = 0;
	for (let item = 0; item < indexes.length; item++) {
		const index = indexes[item]!;
		if (index >= pathCount) continue;
		if (seen[index] !== 0 && ++repeated > MAX_REPEATED) return item;
		seen[index] = 1;
	}
	return indexes.length;
}

/**
 * Builds the paths of a crate in one pass: an item's subtree follows it, so the parent is known when a path is reached.
 * The stack holds only parents that still have siblings to come, so depth and breadth are both unlimited.
 */
export function buildPaths(encoded: EncodedPaths, tokens: readonly string[], faults: PathFaults): Path[] {
	const { indexes, elements, jumps, pathCount } = encoded;
	const paths: Path[] = new Array(pathCount).fill(Path.empty);
	const count = indexes.length;
	if (count === 0) return paths;
	const visited = new Uint8Array(count);
	const names = new NameCheck(tokens);
	/** Parents to return to, and where their next child is. Null marks a parent that could not be made. */
	const parents: (Path | null)[] = [];
	const siblings: number[] = [];
	let parent: Path | null = null;
	let item = 0;
	for (let isFirst = true; ; isFirst = false) {
		visited[item] = 1;
		const path: Path | null = isFirst
			? Path.root
			: parent === null
				? null
				: appendElement(parent, elements[item]!, names, item, faults);
		const index = indexes[item]!;
		if (index >= pathCount) {
			faults.add(item, () => `path index ${index} is not below the path count ${pathCount}`);
		} else if (path !== null) {
			if (paths[index] === Path.empty) paths[index] = path;
			else faults.add(item, () => `path index ${index} is that of another path too`);
		}

		const jump = jumps[item]!;
		if (jump > 0) {
			parents.push(parent);
			siblings.push(item + jump);
			parent = path;
			item++;
		} else if (jump === -1) {
			parent = path;
			item++;
		} else if (jump === 0) {
			// The root has no siblings: when a damaged file says otherwise, they are taken for its children.
			if (isFirst) parent = path;
			item++;
		} else {
			if (parents.length === 0) return paths;
			parent = parents.pop()!;
			item = siblings.pop()!;
		}
		while (item >= count || visited[item] !== 0) {
			const next = item;
			const problem = next >= count ? 'outside the section' : 'placed already';
			faults.add(Math.min(next, count - 1), () => `the path tree goes on at item ${next}, which is ${problem}`);
			if (parents.length === 0) return paths;
			parent = parents.pop()!;
			item = siblings.pop()!;
		}
	}
}

function appendElement(parent: Path, element: number, names: NameCheck, item: number, faults: PathFaults): Path | null {
	const { tokens } = names;
	const index = element < 0 ? -element : element;
	const token = tokens[index];
	if (token === undefined) {
		faults.add(item, () => `path element token ${element} is not among the ${tokens.length} tokens`);
		return null;
	}
	if (names.isPlain(index)) return element < 0 ? parent.appendProperty(token) : parent.appendChild(token);
	const path = element < 0 ? null : elementPath(parent, token);
	if (path === null)
		faults.add(item, () => `${quote(token)} cannot be an element of a path below ${quotePath(parent)}`);
	return path;
}

/** A path for a message, cut when it is long. */
export function quotePath(path: Path): string {
	const text = path.toString();
	return text.length <= LONGEST_QUOTED ? `<${text}>` : `<${text.slice(0, LONGEST_QUOTED)}…>`;
}

const LONGEST_QUOTED = 400;

/** Remembers which tokens are plain names: most are elements of many paths. */
class NameCheck {
	readonly tokens: readonly string[];
	/** 0 not looked at yet, 1 plain, 2 not. */
	readonly #states: Uint8Array;

	constructor(tokens: readonly string[]) {
		this.tokens = tokens;
		this.#states = new Uint8Array(tokens.length);
	}

	isPlain(index: number): boolean {
		let state = this.#states[index]!;
		if (state === 0) {
			state = isPlainName(this.tokens[index]!) ? 1 : 2;
			this.#states[index] = state;
		}
		return state === 1;
	}
}

/** Appends an element written as in path text: `{set=selection}`, `[target]`, `.name`, `.mapper[target]`. */
function elementPath(parent: Path, token: string): Path | null {
	switch (token.charCodeAt(0)) {
		case 0x7b: {
			const equals = token.indexOf('=');
			if (equals < 0 || token.charCodeAt(token.length - 1) !== 0x7d) return null;
			const set = token.slice(1, equals);
			const selection = token.slice(equals + 1, -1);
			return isPlainName(set) && !/[{}[\]<>/]/.test(selection) ? parent.appendVariant(set, selection) : null;
		}
		case 0x5b: {
			const target = token.endsWith(']') ? Path.parse(token.slice(1, -1)) : undefined;
			return target === undefined ? null : parent.appendTarget(target);
		}
		case 0x2e: {
			if (token === '.expression') return parent.appendExpression();
			if (token.startsWith('.mapper[') && token.endsWith(']')) {
				const target = Path.parse(token.slice(8, -1));
				return target === undefined ? null : parent.appendMapper(target);
			}
			const name = token.slice(1);
			if (!isPlainName(name)) return null;
			if (parent.kind === PathKind.target) return parent.appendRelationalAttribute(name);
			return parent.kind === PathKind.mapper ? parent.appendMapperArg(name) : parent.appendProperty(name);
		}
		default:
			return null;
	}
}

/** Whether a name cannot be mistaken for path syntax. Stricter rules on identifiers are left to validation. */
function isPlainName(name: string): boolean {
	if (name.length === 0) return false;
	for (let i = 0; i < name.length; i++) {
		const unit = name.charCodeAt(i);
		if (unit <= 0x2f ? unit <= 0x20 || unit === 0x2f || unit === 0x2e || unit === 0x22 : isSyntax(unit)) return false;
	}
	return true;
}

function isSyntax(unit: number): boolean {
	return unit === 0x5b || unit === 0x5d || unit === 0x7b || unit === 0x7d || unit === 0x3c || unit === 0x3e;
}
