import { isAbsolute, relative, resolve } from 'node:path';
import { formatGithub, formatJson, formatSarif, formatText, Report } from '@manyworlds/core';
import { toSlashes } from '@manyworlds/node/internal';
import { VERSION } from '../version.ts';
import { type CliIo, wantsColour } from './io.ts';
import { Progress } from './progress.ts';

/** How diagnostics are written. */
export type ReportFormat = 'text' | 'json' | 'sarif' | 'github';

export const REPORT_FORMATS: readonly ReportFormat[] = ['text', 'json', 'sarif', 'github'];

/** What the exit status of the command says. */
export const ExitCode = { clean: 0, findings: 1, unusable: 2, internal: 3, interrupted: 130 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Characters that are written to stdout at once. */
const PRINT_SIZE = 1 << 16;

/** What every command works with: the outside, the diagnostics, the progress. */
export class CommandContext {
	readonly io: CliIo;
	/** What kept the command from doing its work, and what it says about that. An error makes the input unusable. */
	readonly report: Report = new Report();
	/** What is wrong with an input that could be worked with: mistakes in layers, what was asked for as a finding. */
	readonly findings: Report = new Report();
	readonly progress: Progress;
	/** Whether stdout carries the result of the command, so that reports must go to stderr. */
	hasData = false;
	/** The exit status of a command that writes its report itself; undefined for others. */
	outcome: ExitCode | undefined = undefined;

	constructor(io: CliIo) {
		this.io = io;
		this.progress = new Progress(io);
	}

	/** The file as the operating system finds it. */
	absolute(file: string): string {
		return resolve(this.io.cwd, file);
	}

	/** The file as messages name it: relative to the working directory when below it, with forward slashes. */
	display(file: string): string {
		const path = relative(this.io.cwd, this.absolute(file));
		const isBelow = path !== '' && !path.startsWith('..') && !isAbsolute(path);
		return toSlashes(isBelow ? path : file);
	}

	/** Says something on stderr that is no finding. */
	note(text: string): void {
		this.progress.clear();
		this.io.stderr.write(`${text}\n`);
	}

	/** Writes the result of the command to stdout. */
	print(data: string | Uint8Array): void {
		this.hasData = true;
		this.progress.clear();
		this.io.stdout.write(data);
	}

	/** Writes small pieces of the result to stdout, many at a time. */
	printPieces(pieces: Iterable<string>): void {
		let text = '';
		for (const piece of pieces) {
			text += piece;
			if (text.length < PRINT_SIZE) continue;
			this.print(text);
			text = '';
		}
		this.print(text);
	}

	/** Writes the diagnostics: text to stderr; a machine-readable report to stdout unless that has the result already. */
	async printReport(format: ReportFormat): Promise<void> {
		this.progress.clear();
		const { io } = this;
		const report = new Report({ cap: Number.POSITIVE_INFINITY });
		report.addAll(this.findings);
		report.addAll(this.report);
		if (format === 'text') {
			const text = formatText(report, { colour: wantsColour(io, io.stderr) });
			if (text !== '') io.stderr.write(text);
			return;
		}
		const stream = this.hasData ? io.stderr : io.stdout;
		if (format === 'json') stream.write(formatJson(report));
		else if (format === 'github') stream.write(formatGithub(report));
		else {
			const { ALL_CODES } = await import('../all-codes.ts');
			stream.write(formatSarif(report, { toolVersion: VERSION, codes: ALL_CODES }));
		}
	}

	/** The exit status that the diagnostics call for. */
	exitCode(): ExitCode {
		if (this.outcome !== undefined) return this.outcome;
		if (this.report.hasErrors) return ExitCode.unusable;
		const { error, warning } = this.findings.counts;
		return error + warning + this.report.counts.warning > 0 ? ExitCode.findings : ExitCode.clean;
	}
}
