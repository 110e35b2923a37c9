/** Room that is handed out front to back and taken back all at once. Addresses are multiples of 16. */
let next: usize = 0;

export function clearArena(): void {
	next = (__heap_base + 15) & ~15;
}

export function reserve(bytes: i32): usize {
	const address = next;
	next = (address + bytes + 15) & ~15;
	const missing = <i32>next - (memory.size() << 16);
	if (missing > 0) memory.grow((missing + 65535) >> 16);
	return address;
}

/** Room for numbers of 64 bits; one more than asked for, so that pairs may be read to the end. */
export function numbers(count: i32): usize {
	return reserve((count + 1) << 3);
}

export function integers(count: i32): usize {
	return reserve(count << 2);
}

/** Entry of an array of numbers. */
export function num(array: usize, index: i32): f64 {
	return load<f64>(array + (index << 3));
}

export function putNum(array: usize, index: i32, value: f64): void {
	store<f64>(array + (index << 3), value);
}

/** Two entries of an array of numbers, from `index` on. */
export function pair(array: usize, index: i32): v128 {
	return v128.load(array + (index << 3));
}

export function putPair(array: usize, index: i32, value: v128): void {
	v128.store(array + (index << 3), value);
}

/** The same entry twice. */
export function twice(array: usize, index: i32): v128 {
	return v128.load64_splat(array + (index << 3));
}

/** Sum of both lanes. */
export function sum(value: v128): f64 {
	return f64x2.extract_lane(value, 0) + f64x2.extract_lane(value, 1);
}

export function putInt(table: usize, index: i32, value: i32): void {
	store<i32>(table + (index << 2), value);
}
