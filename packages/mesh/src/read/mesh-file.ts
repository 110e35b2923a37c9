import { type DiagnosticDetails, Report, SourceText } from '@manyworlds/core';
import type { ReadXmlOptions } from '@manyworlds/core/internal';
import { createDiagnostic, type MeshCode } from '../diagnostics.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';

/** Formats of mesh files. @public */
export type MeshFormat = 'obj' | 'stl' | 'dae' | 'gltf' | 'glb';

/** What a mesh file holds. Node transforms are applied, so all meshes are in one frame. @public */
export interface MeshFile {
	readonly format: MeshFormat | undefined;
	/** In the order of the file. */
	readonly meshes: readonly TriangleMesh[];
	/** Names of the MTL files that an OBJ file refers to. */
	readonly materialLibraries: readonly string[];
	/** Materials that groups of the meshes name, as far as the file and its libraries tell. */
	readonly materials?: ReadonlyMap<string, MeshMaterial>;
	/** Unit of length that the file states: 1 for glTF, as written for COLLADA, absent for OBJ and STL. */
	readonly metersPerUnit?: number;
	/** Axis that points up by the rules of the format (glTF: Y) or as the file states. */
	readonly upAxis?: 'X' | 'Y' | 'Z';
}

/** How a surface looks, as the file says it; parts that it does not tell are left out. @public */
export interface MeshMaterial {
	/** Diffuse or base colour: red, green, blue from 0 to 1. */
	readonly color?: readonly [number, number, number];
	/** Specular colour. */
	readonly specular?: readonly [number, number, number];
	/** Share of light that is mirrored, from 0 to 1 (COLLADA). */
	readonly reflectivity?: number;
	/** Exponent of highlights: `Ns` of OBJ, `shininess` of COLLADA. */
	readonly shininess?: number;
	/** From 0, a mirror, to 1 (glTF). */
	readonly roughness?: number;
	/** From 0 to 1 (glTF). */
	readonly metallic?: number;
	/** Address of an image, relative to the file. */
	readonly texture?: string;
}

/** Options of the mesh readers. @public */
export interface ReadMeshOptions {
	/** Name of the file in diagnostics; its extension helps to tell the format. */
	readonly file?: string;
	/** Where diagnostics go. */
	readonly report?: Report;
	/** The format, when it is known. */
	readonly format?: MeshFormat;
	/** Gives the bytes of a file by its address relative to this one (glTF buffers). */
	readonly external?: (file: string) => Uint8Array | undefined;
	/** Rounds the numbers of COLLADA files to single precision, as other loaders hold them, before they are placed. */
	readonly singlePrecision?: boolean;
	/** Divides faces of OBJ files with four corners along their shorter diagonal, as MuJoCo's loader does. */
	readonly shortDiagonals?: boolean;
	/** Scales coordinates to metres when the file states its unit. */
	readonly applyUnit?: boolean;
	/** Turns coordinates so that Z points up when the file states another axis. */
	readonly applyUpAxis?: boolean;
}

/** Values of {@link ReadMeshOptions} that are used when absent. @public */
export const READ_MESH_DEFAULTS: { readonly applyUnit: boolean; readonly applyUpAxis: boolean } = {
	applyUnit: false,
	applyUpAxis: false,
};

/** What the readers share: the bytes, their positions and the report. */
export class MeshReadContext {
	readonly bytes: Uint8Array;
	readonly options: ReadMeshOptions;
	readonly #report: Report;
	readonly #source: SourceText;

	constructor(bytes: Uint8Array, options: ReadMeshOptions) {
		this.bytes = bytes;
		this.options = options;
		this.#report = options.report ?? new Report({ cap: 0 });
		this.#source = new SourceText(bytes, options.file);
	}

	/** Reports about a stretch of a text file. */
	addAt(code: MeshCode, message: string, start: number, end: number, details: DiagnosticDetails = {}): void {
		this.#report.add(createDiagnostic(code, message, { ...this.#source.locate(start, end), ...details }));
	}

	/** Reports about a byte of a binary file. */
	addAtByte(code: MeshCode, message: string, byteOffset: number, details: DiagnosticDetails = {}): void {
		this.add(code, message, { byteOffset, ...details });
	}

	/** Reports about the file. */
	add(code: MeshCode, message: string, details: DiagnosticDetails = {}): void {
		const file = this.options.file === undefined ? {} : { file: this.options.file };
		this.#report.add(createDiagnostic(code, message, { ...file, ...details }));
	}

	/** How the XML of the file is read. */
	get xmlOptions(): ReadXmlOptions {
		const { file } = this.options;
		return {
			report: this.#report,
			localNames: true,
			maxDepth: Number.POSITIVE_INFINITY,
			...(file !== undefined && { file }),
		};
	}
}

/** Meters per unit and up axis of a file as a matrix, or undefined when nothing is asked for or needed. */
export function fileMatrix(
	options: ReadMeshOptions,
	metersPerUnit: number,
	upAxis: 'X' | 'Y' | 'Z',
): Float64Array | undefined {
	const s = (options.applyUnit ?? READ_MESH_DEFAULTS.applyUnit) ? metersPerUnit : 1;
	const turns = (options.applyUpAxis ?? READ_MESH_DEFAULTS.applyUpAxis) && upAxis !== 'Z';
	if (s === 1 && !turns) return undefined;
	if (!turns) return Float64Array.of(s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1);
	// Y up: x stays right, y becomes z. X up: x becomes z, y becomes -x
	return upAxis === 'Y'
		? Float64Array.of(s, 0, 0, 0, 0, 0, s, 0, 0, -s, 0, 0, 0, 0, 0, 1)
		: Float64Array.of(0, 0, s, 0, -s, 0, 0, 0, 0, -s, 0, 0, 0, 0, 0, 1);
}
