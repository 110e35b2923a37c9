import { type DiagnosticDetails, quote, type Report } from '@manyworlds/core';
import type { ShapeMesh } from '@manyworlds/model';
import type { AssetStore } from '@manyworlds/usd';
import { createDiagnostic, type ImportCode } from '../diagnostics.ts';
import { aroundPackage } from './around-package.ts';
import { type LoadedMeshFile, type LoadMeshOptions, placeMeshes, readMeshParts } from './load-meshes.ts';

/** What a mesh library needs to know. */
export interface MeshLibraryOptions {
	readonly store: Pick<AssetStore, 'identify' | 'bytes'> | undefined;
	/** File that paths are relative to; undefined for text without a file. */
	readonly file: string | undefined;
	readonly report: Report;
	/** Code of diagnostics about files that cannot be used. */
	readonly code: ImportCode;
	/** Whether folders that have another name than a ROS package are tried for it. */
	readonly renamedPackages: boolean;
}

/** Mesh files of one import: each is found and read once, and shapes with equal meshes share them. */
export class MeshLibrary {
	readonly #options: MeshLibraryOptions;
	readonly #files = new Map<string, LoadedMeshFile | undefined>();
	readonly #placed = new Map<string, readonly ShapeMesh[]>();
	/** Bytes that were found and wait to be read. */
	readonly #waiting = new Map<string, Uint8Array>();

	constructor(options: MeshLibraryOptions) {
		this.#options = options;
	}

	/** The meshes of a file; none when it cannot be used, which is reported at `place`. */
	load(path: string, options: LoadMeshOptions, place: () => DiagnosticDetails): readonly ShapeMesh[] {
		const identifier = this.find(path, place);
		if (identifier === undefined) return [];
		const { scale, color, texture, maxHullVertices, isWhole } = options;
		const key = JSON.stringify([identifier, scale, color, texture, maxHullVertices, isWhole ?? false]);
		const known = this.#placed.get(key);
		if (known !== undefined) return known;
		const file = this.#read(identifier, path, options.newtonCompat, place);
		const placed = file === undefined ? [] : placeMeshes(file, options);
		this.#placed.set(key, placed);
		return placed;
	}

	/** What a path of the asset stands for, when there is such a file; `package://` and `model://` included. */
	find(path: string, place: () => DiagnosticDetails): string | undefined {
		const { store, file, renamedPackages } = this.#options;
		if (store === undefined) {
			this.#fault(`${quote(path)} cannot be looked up: no store of files is given`, place);
			return undefined;
		}
		const isRelative = !/^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(path) && !/^[/\\]|^[A-Za-z]:[/\\]/.test(path);
		if (isRelative && file === undefined) {
			this.#fault(`${quote(path)} is relative, expected a file for the robot that it is relative to`, place);
			return undefined;
		}
		const candidates = [path.replace(/^model:\/\//, 'package://'), ...aroundPackage(path, file ?? '', renamedPackages)];
		let problem = '';
		for (const candidate of candidates) {
			const { identifier, refusal } = store.identify(candidate, file ?? '');
			if (refusal !== undefined) {
				problem ||= refusal;
				continue;
			}
			if (this.#files.has(identifier) || this.#waiting.has(identifier)) return identifier;
			const content = store.bytes(identifier) ?? { failure: 'it is not loaded yet' };
			if (content instanceof Uint8Array) {
				this.#waiting.set(identifier, content);
				return identifier;
			}
			problem ||= content.failure;
		}
		this.#fault(`${quote(path)} ${problem === '' ? 'does not exist' : `cannot be used: ${problem}`}`, place);
		return undefined;
	}

	#read(
		identifier: string,
		path: string,
		newtonCompat: boolean,
		place: () => DiagnosticDetails,
	): LoadedMeshFile | undefined {
		const known = this.#files.get(identifier);
		if (known !== undefined || this.#files.has(identifier)) return known;
		const { store, report } = this.#options;
		const bytes = this.#waiting.get(identifier);
		this.#waiting.delete(identifier);
		let file: LoadedMeshFile | undefined;
		if (bytes !== undefined) {
			const external = (file: string): Uint8Array | undefined => {
				const { identifier: other, refusal } = store!.identify(file, identifier);
				const found = refusal === undefined ? store!.bytes(other) : undefined;
				return found instanceof Uint8Array ? found : undefined;
			};
			file = readMeshParts(bytes, { file: identifier, report, external, newtonCompat });
		}
		if (file?.whole === undefined) {
			this.#fault(`${quote(path)} holds no triangles that can be read`, place);
			file = undefined;
		}
		this.#files.set(identifier, file);
		return file;
	}

	#fault(message: string, place: () => DiagnosticDetails): void {
		this.#options.report.add(createDiagnostic(this.#options.code, message, place()));
	}
}
