import { quote } from '@manyworlds/core';
import type { CodeInfo } from '@manyworlds/core/internal';
import { formatRulePage, rulePage } from '@manyworlds/rep158/codes';
import { ALL_CODES } from '../../all-codes.ts';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { wantsColour } from '../io.ts';

/** `manyworlds explain R1.1.7`: prints the page of a rule of REP 0158, or what another code means. */
export function explainCode(context: CommandContext, text: string, options: { readonly json?: boolean }): void {
	const code = text.toUpperCase();
	const page = rulePage(code);
	if (page !== undefined) {
		const colour = wantsColour(context.io, context.io.stdout);
		context.print(options.json === true ? `${JSON.stringify(page, null, 2)}\n` : formatRulePage(page, { colour }));
	} else if (Object.hasOwn(ALL_CODES, code)) {
		const info = ALL_CODES[code]!;
		context.print(options.json === true ? `${JSON.stringify({ code, ...info }, null, 2)}\n` : codeText(code, info));
	} else {
		const message = `unknown rule or code ${quote(text)}, expected one such as R1.1.7, or a file and a path`;
		context.report.add(createDiagnostic('CLI006', message));
	}
}

function codeText(code: string, { title, severity, help, bad, good }: CodeInfo): string {
	const parts = [`${code}: ${title}`, `Severity: ${severity}.`, help];
	if (bad !== undefined) parts.push(`Breaks it\n${indent(bad)}`);
	if (good !== undefined) parts.push(`Keeps it\n${indent(good)}`);
	return `${parts.join('\n\n')}\n`;
}

function indent(text: string): string {
	return text.replace(/^(?=.)/gm, '  ');
}
