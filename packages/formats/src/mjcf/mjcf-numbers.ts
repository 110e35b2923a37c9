const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The numbers of an attribute, separated by white space; undefined when one of them is not a finite number. @public */
export function readNumbers(text: string): Float64Array | undefined {
	const trimmed = text.trim();
	if (trimmed === '') return new Float64Array(0);
	const parts = trimmed.split(/\s+/);
	const numbers = new Float64Array(parts.length);
	for (let i = 0; i < parts.length; i++) {
		const part = parts[i]!;
		if (!NUMBER.test(part)) return undefined;
		const value = Number(part);
		if (!Number.isFinite(value)) return undefined;
		numbers[i] = value;
	}
	return numbers;
}
