import { LIST_ENTRY, type YamlStep } from './yaml-place.ts';

/** A part of a JSON schema. */
export type SchemaPart = { readonly [name: string]: unknown };

/** A JSON schema that can be followed along a path of values. */
export class JsonSchema {
	readonly #root: SchemaPart;

	constructor(root: SchemaPart) {
		this.#root = root;
	}

	/** The parts that describe the value at a path; several where alternatives do. */
	at(path: readonly YamlStep[]): SchemaPart[] {
		let parts = this.#alternatives(this.#root);
		for (const step of path) {
			parts = parts.flatMap((part) => this.#into(part, step)).flatMap((part) => this.#alternatives(part));
		}
		return parts;
	}

	/** Keys that a mapping described by some parts may have, with what describes their values. */
	keys(parts: readonly SchemaPart[]): Map<string, SchemaPart> {
		const found = new Map<string, SchemaPart>();
		for (const part of parts) {
			for (const [key, value] of Object.entries((part['properties'] as SchemaPart | undefined) ?? {})) {
				if (!found.has(key) && isPart(value)) found.set(key, this.#resolve(value));
			}
		}
		return found;
	}

	/** Values that are named by some parts. */
	values(parts: readonly SchemaPart[]): string[] {
		const found = new Set<string>();
		for (const part of parts) {
			if (part['const'] !== undefined) found.add(String(part['const']));
			if (Array.isArray(part['enum'])) for (const value of part['enum']) found.add(String(value));
			if (part['type'] === 'boolean') for (const value of ['true', 'false']) found.add(value);
		}
		return [...found];
	}

	#into(part: SchemaPart, step: YamlStep): SchemaPart[] {
		if (step === LIST_ENTRY) {
			const items = part['items'] ?? part['prefixItems'];
			return (Array.isArray(items) ? items : [items]).filter(isPart);
		}
		const own = (part['properties'] as SchemaPart | undefined)?.[step];
		if (isPart(own)) return [own];
		const others = part['additionalProperties'];
		return isPart(others) ? [others] : [];
	}

	/** A part and all that `anyOf`, `oneOf` and `allOf` lead to. */
	#alternatives(start: SchemaPart): SchemaPart[] {
		const found = new Set<SchemaPart>();
		const pending = [start];
		for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
			const part = this.#resolve(next);
			if (found.has(part)) continue;
			found.add(part);
			for (const name of ['anyOf', 'oneOf', 'allOf']) {
				const list = part[name];
				if (Array.isArray(list)) pending.push(...list.filter(isPart));
			}
		}
		return [...found];
	}

	#resolve(part: SchemaPart): SchemaPart {
		let at = part;
		for (let steps = 0; typeof at['$ref'] === 'string' && steps < 32; steps++) {
			let target: unknown = this.#root;
			for (const name of at['$ref'].replace(/^#\/?/, '').split('/')) target = isPart(target) ? target[name] : undefined;
			if (!isPart(target)) return at;
			at = target;
		}
		return at;
	}
}

function isPart(value: unknown): value is SchemaPart {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
