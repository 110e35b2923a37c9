/** A list of f64 numbers that grows. */
export class GrowableNumbers {
	data: Float64Array = new Float64Array(256);
	length = 0;

	push(value: number): void {
		if (this.length === this.data.length) this.#grow();
		this.data[this.length++] = value;
	}

	push3(a: number, b: number, c: number): void {
		if (this.length + 3 > this.data.length) this.#grow();
		this.data[this.length++] = a;
		this.data[this.length++] = b;
		this.data[this.length++] = c;
	}

	toArray(): Float64Array {
		return this.data.slice(0, this.length);
	}

	#grow(): void {
		const grown = new Float64Array(this.data.length * 2);
		grown.set(this.data);
		this.data = grown;
	}
}

/** A list of u32 numbers that grows. */
export class GrowableIndices {
	data: Uint32Array = new Uint32Array(256);
	length = 0;

	push(value: number): void {
		if (this.length === this.data.length) this.reserve(1);
		this.data[this.length++] = value;
	}

	push3(a: number, b: number, c: number): void {
		if (this.length + 3 > this.data.length) this.reserve(3);
		const at = this.length;
		const data = this.data;
		data[at] = a;
		data[at + 1] = b;
		data[at + 2] = c;
		this.length = at + 3;
	}

	/** Makes room for further numbers, twice the room there was at least. */
	reserve(count: number): void {
		if (this.length + count <= this.data.length) return;
		const grown = new Uint32Array(Math.max(this.data.length * 2, this.length + count));
		grown.set(this.data);
		this.data = grown;
	}

	toArray(): Uint32Array {
		return this.data.slice(0, this.length);
	}
}
