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

	/** Comma-separated values with a header. */
	toCsv(): string {
		const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
		const lines = [['time', ...this.columns].map(quoted).join(',')];
		for (const [i, row] of this.rows.entries()) lines.push([this.times[i]!, ...row].join(','));
		return `${lines.join('\n')}\n`;
	}

	toJson(): string {
		return `${JSON.stringify({ version: 1, columns: ['time', ...this.columns], rows: this.rows.map((row, i) => [this.times[i], ...row]) })}\n`;
	}
}
