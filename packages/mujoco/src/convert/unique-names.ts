/** Gives out names that no two things share: a repeated one gets the smallest number from 2 that makes it new. */
export class UniqueNames {
	readonly #taken = new Set<string>();
	readonly #next = new Map<string, number>();

	take(wanted: string): string {
		if (!this.#taken.has(wanted)) {
			this.#taken.add(wanted);
			return wanted;
		}
		let number = this.#next.get(wanted) ?? 2;
		while (this.#taken.has(`${wanted}_${number}`)) number++;
		this.#next.set(wanted, number + 1);
		const name = `${wanted}_${number}`;
		this.#taken.add(name);
		return name;
	}
}
