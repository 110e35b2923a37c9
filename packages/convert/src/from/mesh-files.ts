import { type DiagnosticDetails, quote, type Report } from '@manyworlds/core';
import { aroundPackage } from '@manyworlds/import/internal';
import { axisAlignedBox, mergeMeshes, readMesh, type TriangleMesh } from '@manyworlds/mesh';
import { translateMesh } from '@manyworlds/mesh/internal';
import type { AssetStore } from '@manyworlds/usd';
import { createDiagnostic } from '../diagnostics.ts';
import type { ConversionMesh } from '../model/conversion-model.ts';

/** A part of a mesh file, and whether it is moved to the origin. */
export interface MeshPart {
	readonly name: string;
	readonly isCentred: boolean;
}

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
	load(path: string, place: DiagnosticDetails, part?: MeshPart): number | undefined {
		const identifier = this.find(path, place);
		if (identifier === undefined) return undefined;
		const key = part === undefined ? identifier : `${identifier} ${part.isCentred} ${part.name}`;
		const known = this.#known.get(key);
		if (known !== undefined) return known;
		const bytes = this.#store.bytes(identifier);
		if (!(bytes instanceof Uint8Array)) return undefined;
		const external = (other: string): Uint8Array | undefined => {
			const { identifier: found, refusal } = this.#store.identify(other, identifier);
			const content = refusal === undefined ? this.#store.bytes(found) : undefined;
			return content instanceof Uint8Array ? content : undefined;
		};
		const file = readMesh(bytes, { file: identifier, report: this.#report, external, applyUnit: true });
		const meshes = part === undefined ? file.meshes : file.meshes.filter(({ name }) => name === part.name);
		const filled = meshes.filter((mesh) => mesh.indices.length > 0);
		if (filled.length === 0) {
			const what = part === undefined ? 'triangles' : `part ${quote(part.name)}`;
			this.#report.add(createDiagnostic('CNV002', `${quote(path)} holds no ${what} that can be read`, place));
			return undefined;
		}
		const name = (path.split(/[/\\]/).at(-1) ?? 'mesh').replace(/\.[^.]*$/, '');
		const index = this.meshes.length;
		const mesh = filled.length === 1 ? filled[0]! : mergeMeshes(filled);
		this.meshes.push({
			name: part === undefined ? name : `${name}_${part.name}`,
			mesh: part?.isCentred === true ? centred(mesh) : mesh,
			materials: file.materials ?? new Map(),
			file: identifier,
		});
		this.#known.set(key, index);
		return index;
	}

	/** Index of a mesh that was made. */
	add(name: string, mesh: TriangleMesh): number {
		return this.meshes.push({ name, mesh, materials: new Map() }) - 1;
	}

	/** The identifier of a file that is there; `package://` and `model://` included. */
	find(path: string, place: DiagnosticDetails): string | undefined {
		let problem = 'does not exist';
		const anchor = place.file ?? this.#file;
		for (const candidate of modelCandidates(path, anchor)) {
			const { identifier, refusal } = this.#store.identify(candidate, anchor);
			const content = refusal === undefined ? this.#store.bytes(identifier) : { failure: refusal };
			if (content instanceof Uint8Array) return identifier;
			if (content !== undefined && content.failure !== '') problem = `cannot be used: ${content.failure}`;
		}
		this.#report.add(createDiagnostic('CNV001', `${quote(path)} ${problem}`, place));
		return undefined;
	}
}

/**
 * Where an address may lead: `package://` and `model://` in the package map, models of Gazebo then beside the folder of the file
 * that names them, and all in folders above it.
 */
export function modelCandidates(address: string, from: string): string[] {
	const model = /^model:\/\/(.+)$/.exec(address)?.[1];
	const path = address.replace(/^file:\/\//, '');
	const beside = model === undefined ? [] : [`../${model}`, `./${model}`, `../../${model}`];
	return [model === undefined ? path : `package://${model}`, ...beside, ...aroundPackage(address, from)];
}

/** A mesh whose box stands about the origin. */
function centred(mesh: TriangleMesh): TriangleMesh {
	const { least, most } = axisAlignedBox(mesh.vertices);
	const [x, y, z] = [0, 1, 2].map((k) => -(least[k]! + most[k]!) / 2) as [number, number, number];
	return translateMesh(mesh, x, y, z);
}
