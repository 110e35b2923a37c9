/** What an attribute of MJCF can be set to. @public */
export type MjcfInput = string | number | boolean | ArrayLike<number>;

/** A value as MJCF has it; numbers read back to the same double, except that -0 and those too small to be normal become 0. */
export function mjcfText(value: MjcfInput): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return numberText(value);
	if (typeof value === 'boolean') return value ? 'true' : 'false';
	let text = '';
	for (let i = 0; i < value.length; i++) text += i === 0 ? numberText(value[i]!) : ` ${numberText(value[i]!)}`;
	return text;
}

const SMALLEST_NORMAL = 2 ** -1022;

function numberText(value: number): string {
	if (Number.isNaN(value)) return 'nan';
	if (value === Number.POSITIVE_INFINITY) return 'inf';
	if (value === Number.NEGATIVE_INFINITY) return '-inf';
	// MuJoCo refuses numbers too small to be normal
	return Math.abs(value) < SMALLEST_NORMAL ? '0' : String(value);
}
