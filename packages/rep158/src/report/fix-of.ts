import type { Diagnostic } from '@manyworlds/core';

/** The command that removes a finding. */
export interface FindingFix {
	/** The whole command without the file. */
	readonly command: string;
	/** What follows `manyworlds fix`; '' when it takes nothing else. */
	readonly options: string;
	readonly isUnsafe: boolean;
	/** Options with values that somebody has to say. */
	readonly option?: string;
}

/** What removes a finding, as it says itself; undefined when nothing does, or when nobody has tried. */
export function fixOf({ fix }: Diagnostic): FindingFix | undefined {
	const command = fix?.title;
	if (command?.startsWith('manyworlds fix') !== true) return undefined;
	const options = command.replace(/^manyworlds fix ?/, '');
	const option = options.replace(/^--unsafe ?/, '');
	return { command, options, isUnsafe: options.startsWith('--unsafe'), ...(option !== '' && { option }) };
}
