import type { Quantity, Sample } from './quantities.ts';
import type { QuantityGroup } from './quantity-groups.ts';

/** Rows of chosen quantities of one world over time. @public */
export class Recording {
	readonly quantities: readonly Quantity[];
	readonly times: number[] = [];
	readonly rows: number[][] = [];

	constructor(quantities: readonly Quantity[]) {
		this.quantities = quantities;
	}

	get columns(): readonly string[] {
		return this.quantities.map(({ name }) => name);
	}

	/** Appends a sample at a time [s]. */
	add(time: number, sample: Sample): void {
		this.times.push(time);
		this.rows.push(this.quantities.map(({ read }) => read(sample)));
	}

	/** Indices of the quantities of a kind. */
	indicesOf(...groups: readonly QuantityGroup[]): number[] {
		return this.quantities.flatMap(({ group }, i) => (groups.includes(group) ? [i] : []));
	}

	/** One quantity over time. */
	column(index: number): number[] {
		return this.rows.map((row) => row[index]!);
	}

	/** Units of the columns; empty for counts, rotations and other plain numbers. */
	get units(): readonly string[] {
		return this.quantities.map(({ unit }) => unit);
	}

	/**
	 * Comma-separated values with a header that has the units: `time [s],height of base [m]`. What made the steps, if it is given,
	 * is a last column `solver`: files of this kind have no other place for it.
	 */
	toCsv(solver?: string): string {
		const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
		const titles = this.quantities.map(({ name, unit }) => (unit === '' ? name : `${name} [${unit}]`));
		const ending = (text: string): readonly string[] => (solver === undefined ? [] : [text]);
		const lines = [['time [s]', ...titles, ...ending('solver')].map(quoted).join(',')];
		const last = ending(quoted(solver ?? ''));
		for (const [i, row] of this.rows.entries()) lines.push([this.times[i]!, ...row, ...last].join(','));
		return `${lines.join('\n')}\n`;
	}

	/** Columns, units and rows, with what made the steps if it is given. */
	toJson(solver?: string): string {
		const columns = ['time', ...this.columns];
		const units = ['s', ...this.units];
		const rows = this.rows.map((row, i) => [this.times[i], ...row]);
		return `${JSON.stringify({ version: 1, ...(solver !== undefined && { solver }), columns, units, rows })}\n`;
	}
}
