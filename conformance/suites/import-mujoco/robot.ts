import { readFileSync } from 'node:fs';
import { type ImportMjcfResult, importMjcf } from '@manyworlds/import';
import { type Model, ModelBuilder, type State } from '@manyworlds/model';
import { DiskStore } from '../../src/disk-store.ts';

/** An imported robot. */
export interface Robot {
	readonly builder: ModelBuilder;
	readonly model: Model;
	readonly result: ImportMjcfResult;
	/** Body of the model by MuJoCo's number; -1 for the world. Bodies that the importer inserted have none. */
	readonly bodies: readonly number[];
	/** MuJoCo's number of a body; of an inserted one that of the body that it belongs to. */
	readonly idOf: (body: number) => number;
	/** Whether primitives are fitted to meshes. */
	readonly hasFittedGeoms: boolean;
}

/** Imports a file with the options that leave everything as MuJoCo has it. */
export function importRobot(path: string): Robot {
	const builder = new ModelBuilder();
	const result = importMjcf(new Uint8Array(readFileSync(path)), builder, { store: new DiskStore(), file: path });
	const hasFittedGeoms = result.files.some((file) => fitsPrimitives(readFileSync(file, 'utf8')));
	const model = builder.finalize({ skipValidation: true });
	const { insertedBodies } = result;
	const bodies = [-1];
	for (let body = 0; body < model.bodyCount; body++) if (!insertedBodies.has(body)) bodies.push(body);
	const idOf = (body: number): number => bodies.indexOf(insertedBodies.get(body) ?? body);
	return { builder, model, result, bodies, idOf, hasFittedGeoms };
}

function fitsPrimitives(text: string): boolean {
	return [...text.matchAll(/<geom\b[^>]*>/g)].some(
		([tag]) => /\bmesh\s*=/.test(tag) && /\btype\s*=\s*["'](sphere|box|ellipsoid|capsule|cylinder)["']/.test(tag),
	);
}

/** A name as labels have it. */
export function plain(name: string): string {
	return name.replaceAll('-', '_');
}

/** x y z w as w x y z. */
export function wxyz(q: ArrayLike<number>, at: number = 0): number[] {
	return [q[at + 3]!, q[at]!, q[at + 1]!, q[at + 2]!];
}

/** Rows of a nested array. */
export function row(values: readonly number[], index: number, width: number): number[] {
	return values.slice(index * width, (index + 1) * width);
}

/** The rotation matrix of a quaternion w x y z, row by row. */
export function matrixOf([w, x, y, z]: readonly number[]): number[] {
	return [
		1 - 2 * (y! * y! + z! * z!),
		2 * (x! * y! - w! * z!),
		2 * (x! * z! + w! * y!),
		2 * (x! * y! + w! * z!),
		1 - 2 * (x! * x! + z! * z!),
		2 * (y! * z! - w! * x!),
		2 * (x! * z! - w! * y!),
		2 * (y! * z! + w! * x!),
		1 - 2 * (x! * x! + y! * y!),
	];
}

/** Product of two quaternions w x y z. */
export function multiply(a: readonly number[], b: readonly number[]): number[] {
	const [aw, ax, ay, az] = a as [number, number, number, number];
	const [bw, bx, by, bz] = b as [number, number, number, number];
	return [
		aw * bw - ax * bx - ay * by - az * bz,
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
	];
}

/** A vector turned by a quaternion w x y z. */
export function rotate(q: readonly number[], v: readonly number[]): number[] {
	const m = matrixOf(q);
	return [0, 3, 6].map((i) => m[i]! * v[0]! + m[i + 1]! * v[1]! + m[i + 2]! * v[2]!);
}

/** The inverse of a unit quaternion w x y z. */
export function inverse([w, x, y, z]: readonly number[]): number[] {
	return [w!, -x!, -y!, -z!];
}

/** Puts MuJoCo's coordinates of a state (quaternions w x y z, hinges from their reference) into ours. */
export function setCoordinates({ model, result }: Robot, qpos: readonly number[], state: State): void {
	const refs = model.attributes.get('mujoco:dof_ref') as Float64Array;
	let at = 0;
	for (const { type, coordinate, dof } of result.jointOrder) {
		if (type === 'free') {
			state.jointQ.set(qpos.slice(at, at + 3), coordinate);
			state.jointQ.set([qpos[at + 4]!, qpos[at + 5]!, qpos[at + 6]!, qpos[at + 3]!], coordinate + 3);
			at += 7;
		} else if (type === 'ball') {
			state.jointQ.set([qpos[at + 1]!, qpos[at + 2]!, qpos[at + 3]!, qpos[at]!], coordinate);
			at += 4;
		} else state.jointQ[coordinate] = qpos[at++]! - refs[dof]!;
	}
}
