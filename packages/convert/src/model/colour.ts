/** A number of a colour on a screen as light: sRGB to linear, IEC 61966-2-1. */
export function toLinear(value: number): number {
	return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** The inverse of {@link toLinear}, of what lies outside of 0 to 1 the nearest; to nine digits, which no screen tells apart. */
export function toScreen(value: number): number {
	const light = Math.min(1, Math.max(0, value));
	const screen = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
	return Number(screen.toPrecision(9));
}
