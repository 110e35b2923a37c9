import { Path, PathKind } from '../sdf/path.ts';
import type { CrateStructure } from './crate-structure.ts';
import { UnwritableValue } from './unwritable-value.ts';

/** Token 0: the sign of an element token marks properties, so a name with number 0 could not be told apart. */
const FIRST_TOKEN = ';-)';

/** Tokens, strings and paths of a crate that is being written, each once. */
export class CrateTables {
	readonly tokens: string[] = [];
	/** Token of each string. */
	readonly strings: number[] = [];
	readonly paths: Path[] = [];
	readonly #tokenIndexes = new Map<string, number>();
	readonly #stringIndexes = new Map<string, number>();
	readonly #pathIndexes = new Map<Path, number>();

	/** @param base - a structure whose indexes stay valid */
	constructor(base?: CrateStructure) {
		if (base === undefined) {
			this.token(FIRST_TOKEN);
			return;
		}
		this.tokens.push(...base.tokens);
		for (let i = base.tokens.length - 1; i >= 0; i--) this.#tokenIndexes.set(base.tokens[i]!, i);
		for (let i = base.strings.length - 1; i >= 0; i--) {
			this.strings[i] = base.strings[i]!;
			this.#stringIndexes.set(base.tokens[base.strings[i]!] ?? '', i);
		}
		for (let i = base.paths.length - 1; i >= 0; i--) {
			this.paths[i] = base.paths[i]!;
			this.#pathIndexes.set(base.paths[i]!, i);
		}
	}

	token(text: string): number {
		let index = this.#tokenIndexes.get(text);
		if (index === undefined) {
			// Tokens are stored one after the other with a NUL between them.
			if (text.includes('\0')) throw new UnwritableValue('crate files cannot hold text with a NUL character');
			index = this.tokens.length;
			this.tokens.push(text);
			this.#tokenIndexes.set(text, index);
		}
		return index;
	}

	string(text: string): number {
		let index = this.#stringIndexes.get(text);
		if (index === undefined) {
			const token = this.token(text);
			index = this.strings.length;
			this.strings.push(token);
			this.#stringIndexes.set(text, index);
		}
		return index;
	}

	/** Number of an absolute or empty path; its ancestors get numbers too. */
	path(path: Path): number {
		const known = this.#pathIndexes.get(path);
		if (known !== undefined) return known;
		const chain: Path[] = [];
		for (let node: Path | null = path; node !== null && !this.#pathIndexes.has(node); node = node.parent) {
			chain.push(node);
		}
		for (let i = chain.length - 1; i >= 0; i--) {
			const node = chain[i]!;
			this.#pathIndexes.set(node, this.paths.length);
			this.paths.push(node);
			if (node !== Path.empty) this.elementToken(node);
		}
		return this.paths.length - 1;
	}

	/** The number of a path that has one. */
	pathIndex(path: Path): number {
		return this.#pathIndexes.get(path)!;
	}

	/** Token of the last element of a path: bare names for prims and properties, path text for the rest. */
	elementToken(path: Path): number {
		switch (path.kind) {
			case PathKind.variant:
				return this.token(`{${path.name}}`);
			case PathKind.target:
				return this.token(`[${path.name}]`);
			case PathKind.mapper:
				return this.token(`.mapper[${path.name}]`);
			case PathKind.relationalAttribute:
			case PathKind.mapperArg:
			case PathKind.expression:
				return this.token(`.${path.name}`);
			default:
				return this.token(path.name);
		}
	}
}
