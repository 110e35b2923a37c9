/** Entry of a table of integers. */
export function int(table: usize, index: i32): i32 {
	return load<i32>(table + (index << 2));
}

export function putInt(table: usize, index: i32, value: i32): void {
	store<i32>(table + (index << 2), value);
}

/** Entry of an array of numbers. */
export function num(array: usize, index: i32): f64 {
	return load<f64>(array + (index << 3));
}

export function putNum(array: usize, index: i32, value: f64): void {
	store<f64>(array + (index << 3), value);
}

/** Writes three numbers. */
export function put3(at: usize, x: f64, y: f64, z: f64): void {
	store<f64>(at, x);
	store<f64>(at, y, 8);
	store<f64>(at, z, 16);
}

/** Copies three numbers. */
export function copy3(to: usize, from: usize): void {
	store<f64>(to, load<f64>(from));
	store<f64>(to, load<f64>(from, 8), 8);
	store<f64>(to, load<f64>(from, 16), 16);
}

/** Bytes of three numbers. */
export const THREE: i32 = 24;

/** The product of three numbers at an address with a direction. */
export function dot(a: usize, x: f64, y: f64, z: f64): f64 {
	return load<f64>(a) * x + load<f64>(a, 8) * y + load<f64>(a, 16) * z;
}
