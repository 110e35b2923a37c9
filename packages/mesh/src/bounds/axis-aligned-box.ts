/** A box along the axes. Empty when `least` exceeds `most`. @public */
export interface AxisAlignedBox {
	readonly least: Float64Array;
	readonly most: Float64Array;
}

/** The smallest box along the axes around points, three coordinates each. @public */
export function axisAlignedBox(points: ArrayLike<number>): AxisAlignedBox {
	const least = new Float64Array(3).fill(Number.POSITIVE_INFINITY);
	const most = new Float64Array(3).fill(Number.NEGATIVE_INFINITY);
	for (let i = 0; i < points.length; i++) {
		const axis = i % 3;
		const value = points[i]!;
		if (value < least[axis]!) least[axis] = value;
		if (value > most[axis]!) most[axis] = value;
	}
	return { least, most };
}
