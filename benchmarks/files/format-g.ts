/**
 * `value` as C and Python write it with `%.<digits>g`: that many significant digits, halves to even, no trailing zeros.
 * JavaScript's toPrecision rounds halves up, so exact halves are looked at by themselves.
 */
export function formatG(value: number, digits: number): string {
	if (value === 0) return Object.is(value, -0) ? '-0' : '0';
	const text = roundHalfEven(value, digits);
	const [mantissa, exponentText] = text.split('e') as [string, string];
	const exponent = Number(exponentText);
	if (exponent < -4 || exponent >= digits) {
		const sign = exponent < 0 ? '-' : '+';
		return `${stripZeros(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
	}
	return stripZeros(Number(text).toFixed(Math.max(0, digits - 1 - exponent)));
}

/** The value rounded to `digits` significant digits in exponent notation. */
function roundHalfEven(value: number, digits: number): string {
	const rounded = value.toExponential(digits - 1);
	// an exact half has one more digit, a 5, and only zeros after it; doubles near 1 have fewer than 60 digits
	const exact = value.toExponential(60);
	const sign = exact.startsWith('-') ? 1 : 0;
	const tail = exact.slice(sign + 1 + digits, exact.indexOf('e'));
	if (!/^50*$/.test(tail)) return rounded;
	const kept = exact.slice(0, sign + 1 + digits);
	return Number(kept.at(-1)) % 2 === 0 ? `${kept}${exact.slice(exact.indexOf('e'))}` : rounded;
}

function stripZeros(text: string): string {
	return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
