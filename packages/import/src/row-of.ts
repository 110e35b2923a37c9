/** A copy of one row of a column that has `width` numbers in each. */
export function rowOf(column: Float64Array, width: number, row: number): Float64Array {
	return column.slice(width * row, width * (row + 1));
}
