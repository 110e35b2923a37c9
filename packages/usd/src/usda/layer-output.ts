import { TextOutput } from './text-output.ts';

/** The text of a layer being written, with the minor version of the format that its content needs. */
export class LayerOutput extends TextOutput {
	minorVersion = 0;

	/** Notes that version 1.`minor` is needed. */
	need(minor: number): void {
		if (minor > this.minorVersion) this.minorVersion = minor;
	}
}
