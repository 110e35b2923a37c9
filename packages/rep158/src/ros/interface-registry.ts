import type { InterfaceKind } from '@manyworlds/usd/internal';
import { INTERFACE_TABLE } from './interface-table.ts';
import { parseInterfaceType } from './ros-names.ts';

/** What is known of an interface type. */
export interface InterfaceType {
	/** `sensor_msgs/msg/Image`. */
	readonly type: string;
	readonly kind: InterfaceKind;
	/** Whether a message has a field of type `std_msgs/msg/Header`; false for services and actions. */
	readonly hasHeader: boolean;
}

/** An interface file of a package: its type and its text. */
export interface InterfaceDefinition {
	/** `my_msgs/msg/Bump`; ends in `.msg`, `.srv` or `.action` when it is a file name. */
	readonly type: string;
	readonly text: string;
}

/**
 * The interface types that can be resolved (REP 0158 §2.3): those of common packages, and what users add.
 *
 * ```ts
 * const types = InterfaceRegistry.standard.with([{ type: 'my_msgs/msg/Bump', text: 'std_msgs/Header header\nbool hit' }]);
 * types.find('my_msgs/msg/Bump')?.hasHeader; // true
 * ```
 */
export class InterfaceRegistry {
	readonly #types: ReadonlyMap<string, InterfaceType>;

	/** Messages, services and actions of common ROS 2 packages. */
	static readonly standard: InterfaceRegistry = new InterfaceRegistry(standardTypes());

	constructor(types: ReadonlyMap<string, InterfaceType>) {
		this.#types = types;
	}

	/** Number of types. */
	get size(): number {
		return this.#types.size;
	}

	/** The type with this name; undefined when nobody defines it. */
	find(type: string): InterfaceType | undefined {
		return this.#types.get(type);
	}

	/** Names of all types, in order. */
	names(): string[] {
		return [...this.#types.keys()].sort();
	}

	/** Whether any type of a package is known. */
	hasPackage(packageName: string): boolean {
		const start = `${packageName}/`;
		for (const type of this.#types.keys()) if (type.startsWith(start)) return true;
		return false;
	}

	/** The type of the same package and kind whose name differs in a letter or two: a likely intent. */
	nearest(type: string): string | undefined {
		const lower = type.toLowerCase();
		let best: string | undefined;
		let bestDistance = 3;
		for (const candidate of this.#types.keys()) {
			if (Math.abs(candidate.length - type.length) >= bestDistance) continue;
			const distance = editDistance(lower, candidate.toLowerCase(), bestDistance);
			if (distance < bestDistance) {
				best = candidate;
				bestDistance = distance;
			}
		}
		return best;
	}

	/** A registry with more types, read from interface files; names that have no form of a type are left out. */
	with(definitions: Iterable<InterfaceDefinition>): InterfaceRegistry {
		const types = new Map(this.#types);
		for (const { type, text } of definitions) {
			const name = type.replace(/\.(?:msg|srv|action)$/, '');
			const parts = parseInterfaceType(name);
			if (parts === undefined) continue;
			const hasHeader = parts.kind === 'msg' && definesHeader(text);
			types.set(name, { type: name, kind: parts.kind, hasHeader });
		}
		return new InterfaceRegistry(types);
	}
}

/** Whether the text of a message has a field of type Header, outside comments. */
function definesHeader(text: string): boolean {
	return text.split(/\r?\n/).some((line) => /^\s*(?:std_msgs\/(?:msg\/)?)?Header\s+[a-z]\w*\s*(?:#.*)?$/.test(line));
}

function standardTypes(): Map<string, InterfaceType> {
	const types = new Map<string, InterfaceType>();
	for (const [packageName, names] of Object.entries(INTERFACE_TABLE)) {
		for (const kind of ['msg', 'srv', 'action'] as const) {
			for (const entry of names[kind]?.split(' ') ?? []) {
				const hasHeader = entry.endsWith('*');
				const type = `${packageName}/${kind}/${hasHeader ? entry.slice(0, -1) : entry}`;
				types.set(type, { type, kind, hasHeader });
			}
		}
	}
	return types;
}

/** Levenshtein distance of two texts, or `limit` when it is no less. */
function editDistance(a: string, b: string, limit: number): number {
	let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		let least = i;
		for (let j = 1; j <= b.length; j++) {
			const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
			const value = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost);
			row.push(value);
			if (value < least) least = value;
		}
		if (least >= limit) return limit;
		previous = row;
	}
	return Math.min(previous[b.length]!, limit);
}
