/** Gives names that are not taken: the wanted one, or that with a number behind it. */
export class UniqueNames {
	readonly #taken: Set<string>;
	/** Numbers to try next, so that many equal names cost no search each. */
	readonly #next = new Map<string, number>();

	constructor(taken: Iterable<string> = []) {
		this.#taken = new Set(taken);
	}

	/** Whether a name is somebody's. */
	has(name: string): boolean {
		return this.#taken.has(name);
	}

	/** A name that is nobody's yet, and takes it. */
	take(wanted: string): string {
		let name = wanted;
		let n = this.#next.get(wanted) ?? 2;
		for (; this.#taken.has(name); n++) name = `${wanted}_${n}`;
		this.#next.set(wanted, n);
		this.#taken.add(name);
		return name;
	}
}

/** A name in which `::`, which leads into models of SDF, is `_`. */
export function scopelessName(name: string): string {
	return name.replaceAll('::', '_');
}
