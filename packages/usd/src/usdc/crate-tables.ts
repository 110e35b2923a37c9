import { type Path, PathKind } from '../sdf/path.ts';
import type { CrateStructure } from './crate-structure.ts';
import { PathTable } from './path-table.ts';
import { UnwritableValue } from './unwritable-value.ts';

/** Token 0: the sign of an element token marks properties, so a name with number 0 could not be told apart. */
const FIRST_TOKEN = ';-)';

/** Tokens, strings and paths of a crate that is being written, each once. */
export class CrateTables {
	readonly tokens: string[] = [];
	/** Token of each string. */
	readonly strings: number[] = [];
	readonly paths: PathTable;
	readonly #tokenIndexes = new Map<string, number>();
	readonly #stringIndexes = new Map<string, number>();

	/** @param base - a structure whose indexes stay valid */
	constructor(base?: CrateStructure) {
		this.paths = new PathTable(base?.paths);
		if (base === undefined) {
			this.token(FIRST_TOKEN);
			return;
		}
		for (const token of base.tokens) this.tokens.push(token);
		for (let i = base.tokens.length - 1; i >= 0; i--) this.#tokenIndexes.set(base.tokens[i]!, i);
		for (let i = base.strings.length - 1; i >= 0; i--) {
			this.strings[i] = base.strings[i]!;
			this.#stringIndexes.set(base.tokens[base.strings[i]!] ?? '', i);
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
