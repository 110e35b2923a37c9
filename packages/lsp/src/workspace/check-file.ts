import { Report } from '@manyworlds/core';
import { importAsset } from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import type { AssetStore } from '@manyworlds/usd';
import type { LanguageHost } from '../language-host.ts';
import type { DocumentKind } from './document-kind.ts';

/** Findings of an asset that are kept. */
export const MOST_FINDINGS = 10_000;

/** What {@link checkFile} works with. */
export interface CheckFileInputs {
	readonly store: AssetStore;
	readonly report: Report;
	readonly host: LanguageHost;
	/** How findings name a file, by its name or identifier. */
	readonly name: (file: string) => string;
}

/** Finds what is wrong with a file that is no layer: by its schema, or by importing it. */
export function checkFile(root: string, kind: DocumentKind, { store, report, host, name }: CheckFileInputs): void {
	if (kind.kind === 'yaml') {
		const bytes = store.bytes(root);
		if (bytes instanceof Uint8Array) kind.language.validate(new TextDecoder().decode(bytes), name(root), report);
		return;
	}
	if (kind.kind !== 'urdf' && kind.kind !== 'mjcf' && kind.kind !== 'sdf') return;
	const { translateSdf } = host;
	if (kind.kind === 'sdf' && translateSdf === undefined) return;
	const found = new Report({ cap: MOST_FINDINGS });
	importAsset(root, new ModelBuilder(), {
		store,
		report: found,
		format: kind.kind,
		...(translateSdf !== undefined && { translateSdf }),
	});
	// importers name the file by its identifier
	for (const one of found.toArray()) report.add(one.file === undefined ? one : { ...one, file: name(one.file) });
}
