import type { Diagnostic } from './diagnostic.ts';
import { UsageRangeError } from './errors.ts';
import type { Severity } from './severity.ts';

/** Options of a {@link Report}. @public */
export interface ReportOptions {
	/** Most diagnostics kept; further ones are counted only. */
	readonly cap?: number;
}

/** Values of {@link ReportOptions} that are used when absent. @public */
export const REPORT_DEFAULTS: Required<ReportOptions> = { cap: 1000 };

/** Number of diagnostics of each severity. @public */
export type SeverityCounts = Record<Severity, number>;

/** Severities, the gravest first. @public */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

/**
 * Collects diagnostics: drops repetitions, keeps at most `cap` of them and counts the rest, gives them in a stable order.
 *
 * When it is full, a graver diagnostic takes the place of a lighter one, so errors are not lost behind warnings.
 * @public
 */
export class Report {
	readonly cap: number;
	readonly #kept: Record<Severity, Diagnostic[]> = { error: [], warning: [], info: [], hint: [] };
	readonly #counts: SeverityCounts = { error: 0, warning: 0, info: 0, hint: 0 };
	readonly #seen = new Set<string>();
	#size = 0;
	#omitted = 0;

	constructor(options: ReportOptions = {}) {
		const cap = options.cap ?? REPORT_DEFAULTS.cap;
		if (!(cap >= 0)) throw new UsageRangeError(`cap is ${cap}, expected a number of diagnostics, 0 or more`);
		this.cap = cap;
	}

	/** Number of diagnostics kept. */
	get size(): number {
		return this.#size;
	}

	/** Number of diagnostics counted but not kept because the cap was reached. */
	get omitted(): number {
		return this.#omitted;
	}

	/** Number of diagnostics of each severity, kept or not. */
	get counts(): Readonly<SeverityCounts> {
		return { ...this.#counts };
	}

	/** Whether an error was added, kept or not. */
	get hasErrors(): boolean {
		return this.#counts.error > 0;
	}

	/** Whether nothing further can be kept at this severity: makers of costly diagnostics may then only {@link count}. */
	isFull(severity: Severity): boolean {
		return this.#size >= this.cap && this.#lightestKept(severity) === undefined;
	}

	/** Adds a diagnostic unless an equal one is kept already. */
	add(diagnostic: Diagnostic): void {
		const { severity } = diagnostic;
		const key = identity(diagnostic);
		if (this.#seen.has(key)) return;
		if (this.#size >= this.cap) {
			const lightest = this.#lightestKept(severity);
			if (lightest === undefined) {
				this.count(severity);
				return;
			}
			this.#kept[lightest].pop();
			this.#size--;
			this.#omitted++;
		}
		this.#seen.add(key);
		this.#kept[severity].push(diagnostic);
		this.#counts[severity]++;
		this.#size++;
	}

	/** Counts diagnostics that were found but not made, as omitted. */
	count(severity: Severity, times: number = 1): void {
		this.#counts[severity] += times;
		this.#omitted += times;
	}

	/** Adds everything that another report holds or counted. */
	addAll(other: Report): void {
		const kept: SeverityCounts = { error: 0, warning: 0, info: 0, hint: 0 };
		for (const diagnostic of other.toArray()) {
			kept[diagnostic.severity]++;
			this.add(diagnostic);
		}
		const counts = other.counts;
		for (const severity of SEVERITIES) {
			const uncounted = counts[severity] - kept[severity];
			if (uncounted > 0) this.count(severity, uncounted);
		}
	}

	/** The kept diagnostics sorted by file, place, code, prim and message. */
	toArray(): Diagnostic[] {
		return SEVERITIES.flatMap((severity) => this.#kept[severity]).sort(compareDiagnostics);
	}

	/** The lightest severity below `severity` of which something is kept. */
	#lightestKept(severity: Severity): Severity | undefined {
		for (let i = SEVERITIES.length - 1; i >= 0; i--) {
			const candidate = SEVERITIES[i]!;
			if (candidate === severity) return undefined;
			if (this.#kept[candidate].length > 0) return candidate;
		}
		return undefined;
	}
}

/** Order of diagnostics in a report: file, place, code, prim, message. Texts compare by UTF-16 code unit, never by locale. */
function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
	return (
		compareText(a.file ?? '', b.file ?? '') ||
		place(a) - place(b) ||
		compareText(a.code, b.code) ||
		compareText(a.prim ?? '', b.prim ?? '') ||
		compareText(a.message, b.message)
	);
}

function place(diagnostic: Diagnostic): number {
	return diagnostic.range?.start.offset ?? diagnostic.byteOffset ?? -1;
}

function compareText(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

function identity(d: Diagnostic): string {
	const variants = d.variants === undefined ? [] : Object.entries(d.variants).sort((a, b) => compareText(a[0], b[0]));
	return JSON.stringify([
		d.code,
		d.severity,
		d.message,
		d.file ?? null,
		place(d),
		d.range?.end.offset ?? null,
		d.prim ?? null,
		d.layer ?? null,
		d.arc ?? null,
		variants,
	]);
}
