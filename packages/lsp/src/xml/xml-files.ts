import type { DocumentText } from '../text/document-text.ts';
import { MJCF_NAMES } from './mjcf-names.ts';
import { URDF_NAMES } from './urdf-names.ts';
import { elementsOf, xmlOf } from './xml-place.ts';

/** A file that a robot in XML names. */
export interface FileUse {
	readonly start: number;
	readonly end: number;
	readonly assetPath: string;
	/** Folder that the file is looked for in, relative to that of the document. */
	readonly folder: string;
}

/** Every file that a robot in XML names. */
export function* fileUses(text: DocumentText, kind: 'urdf' | 'mjcf'): Generator<FileUse> {
	const names = kind === 'urdf' ? URDF_NAMES : MJCF_NAMES;
	const { root } = xmlOf(text);
	if (root === undefined) return;
	for (const element of elementsOf(root)) {
		for (const { name, value, valueRange } of element.attributes) {
			const file = names.file(element, name, root);
			if (file === undefined) continue;
			yield { start: valueRange.start.offset, end: valueRange.end.offset, assetPath: value, folder: file.folder };
		}
	}
}
