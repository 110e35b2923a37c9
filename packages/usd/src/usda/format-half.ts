/** Writes a half, given as its value, with six significant digits in C's `%g` layout. */
export function writeHalf(bytes: Uint8Array, at: number, value: number, isNegativeNan = false): number {
	const text = formatHalf(value, isNegativeNan);
	for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
	return at + text.length;
}

function formatHalf(value: number, isNegativeNan: boolean): string {
	if (Number.isNaN(value)) return isNegativeNan ? '-nan' : 'nan';
	if (value === 0) return 1 / value < 0 ? '-0' : '0';
	if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
	// more digits than any half has: the value exactly
	const [all, power] = Math.abs(value).toExponential(30).split('e') as [string, string];
	const digits = all.replace('.', '');
	const rest = digits.slice(6);
	const half = `5${'0'.repeat(rest.length - 1)}`;
	let rounded = Number(digits.slice(0, 6));
	if (rest > half || (rest === half && rounded % 2 === 1)) rounded++;
	const exponent = Number(power) + (rounded === 1e6 ? 1 : 0);
	const mantissa = `${rounded}`.slice(0, 6);
	const sign = value < 0 ? '-' : '';
	if (exponent < -4) {
		const shown = withoutTrailingZeros(`${mantissa[0]}.${mantissa.slice(1)}`);
		return `${sign}${shown}e-${`${-exponent}`.padStart(2, '0')}`;
	}
	const plain = exponent < 0 ? `${'0'.repeat(-exponent)}${mantissa}` : mantissa;
	const point = Math.max(exponent, 0) + 1;
	return sign + withoutTrailingZeros(`${plain.slice(0, point)}.${plain.slice(point)}`);
}

function withoutTrailingZeros(text: string): string {
	if (!text.includes('.')) return text;
	let end = text.length;
	while (text[end - 1] === '0') end--;
	return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}
