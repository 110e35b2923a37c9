import { quote, type Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { Path } from '../sdf/path.ts';
import type { Value } from '../sdf/value.ts';
import { TextOutput } from '../text/text-output.ts';

/** Where a layer output tells what it had to leave out. */
export interface LayerOutputOptions {
	/** How much text is expected. */
	readonly capacity?: number;
	readonly report?: Report | undefined;
	readonly file?: string | undefined;
}

/** The text of a layer being written, with the minor version of the format that its content needs. */
export class LayerOutput extends TextOutput {
	minorVersion = 0;
	readonly #report: Report | undefined;
	readonly #file: string | undefined;

	constructor({ capacity, report, file }: LayerOutputOptions = {}) {
		super(capacity);
		this.#report = report;
		this.#file = file;
	}

	/** Notes that version 1.`minor` is needed. */
	need(minor: number): void {
		if (minor > this.minorVersion) this.minorVersion = minor;
	}

	/** Reports a value that text cannot hold and that was left out of a spec, or of a dictionary in the spec being written. */
	leaveOut(path: Path | undefined, field: string, value: Value): void {
		const message = `${quote(field)} holds a value of type ${value.type.name}, which text has no form for; it was left out`;
		const file = this.#file === undefined ? {} : { file: this.#file };
		const prim = path === undefined ? {} : { prim: path.toString() };
		this.#report?.add(createDiagnostic('USDA070', message, { ...file, ...prim }));
	}
}
