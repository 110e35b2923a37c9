import type { Diagnostic, Severity } from '@manyworlds/core';

/** What checking one asset gave, as plain data that can be sent between threads. @public */
export interface AssetResult {
	/** The file that was checked, as messages name it. */
	readonly asset: string;
	readonly diagnostics: readonly Diagnostic[];
	/** Findings that were counted and not kept, by severity. */
	readonly omitted: Readonly<Partial<Record<Severity, number>>>;
	readonly primCount: number;
	readonly layerCount: number;
	readonly selectionCount: number;
	/** Whether findings say in their `fix` which command removes them, where one does. */
	readonly hasTriedFixes?: boolean;
}

/** Whether a diagnostic means that an input could not be read whole or cannot be worked on. @public */
export function isUnusable({ code, severity }: Diagnostic): boolean {
	return severity === 'error' && UNUSABLE.test(code);
}

/** Codes of files of which nothing can be read, and of the limits of the checker. */
const UNUSABLE = /^(?:CLI|CHK003|CHK004|CHK006)/;

/** Whether a diagnostic is a fault of the checker itself. @public */
export function isInternal({ code }: Diagnostic): boolean {
	return code === 'CHK002';
}
