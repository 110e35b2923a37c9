import { type DiagnosticDetails, quote, type Report } from '@manyworlds/core';
import { aroundPackage } from '@manyworlds/import/internal';
import { mergeMeshes, readMesh } from '@manyworlds/mesh';
import type { AssetStore } from '@manyworlds/usd';
import { createDiagnostic } from '../diagnostics.ts';
import type { ConversionMesh } from '../model/conversion-model.ts';

/** Mesh files of one robot, each read once. */
export class MeshFiles {
	readonly meshes: ConversionMesh[] = [];
	readonly #store: AssetStore;
	readonly #file: string;
	readonly #report: Report;
	readonly #known = new Map<string, number>();

	constructor(store: AssetStore, file: string, report: Report) {
		this.#store = store;
		this.#file = file;
		this.#report = report;
	}

	/** Index of the mesh of a file; undefined when it cannot be used, which is reported at `place`. */
	load(path: string, place: DiagnosticDetails): number | undefined {
		const identifier = this.find(path, place);
		if (identifier === undefined) return undefined;
		const known = this.#known.get(identifier);
		if (known !== undefined) return known;
		const bytes = this.#store.bytes(identifier);
		if (!(bytes instanceof Uint8Array)) return undefined;
		const external = (other: string): Uint8Array | undefined => {
			const { identifier: found, refusal } = this.#store.identify(other, identifier);
			const content = refusal === undefined ? this.#store.bytes(found) : undefined;
			return content instanceof Uint8Array ? content : undefined;
		};
		const file = readMesh(bytes, { file: identifier, report: this.#report, external, applyUnit: true });
		const filled = file.meshes.filter((mesh) => mesh.indices.length > 0);
		if (filled.length === 0) {
			this.#report.add(createDiagnostic('CNV002', `${quote(path)} holds no triangles that can be read`, place));
			return undefined;
		}
		const name = (path.split(/[/\\]/).at(-1) ?? 'mesh').replace(/\.[^.]*$/, '');
		const index = this.meshes.length;
		this.meshes.push({
			name,
			mesh: filled.length === 1 ? filled[0]! : mergeMeshes(filled),
			materials: file.materials ?? new Map(),
			file: identifier,
		});
		this.#known.set(identifier, index);
		return index;
	}

	/** The identifier of a file that is there; `package://` and `model://` included. */
	find(path: string, place: DiagnosticDetails): string | undefined {
		let problem = 'does not exist';
		for (const candidate of [path.replace(/^model:\/\//, 'package://'), ...aroundPackage(path, this.#file)]) {
			const { identifier, refusal } = this.#store.identify(candidate, this.#file);
			const content = refusal === undefined ? this.#store.bytes(identifier) : { failure: refusal };
			if (content instanceof Uint8Array) return identifier;
			if (content !== undefined && content.failure !== '') problem = `cannot be used: ${content.failure}`;
		}
		this.#report.add(createDiagnostic('CNV001', `${quote(path)} ${problem}`, place));
		return undefined;
	}
}
