import type { MjcfElement } from '@manyworlds/formats';
import type { Conversion } from '../convert/conversion.ts';

/** Writes meshes as Wavefront files, one for all shapes that have the same, and gives all files of the document. */
export function meshFiles(conversion: Conversion): Map<string, Uint8Array> {
	const files = new Map<string, Uint8Array>();
	const { asset, root } = conversion.sections;
	const kept: MjcfElement[] = [];
	const replaced = new Map<string, string>();
	for (const element of asset.children) {
		const name = element.get('name')!;
		const file = element.get('file')!;
		const bytes = conversion.files.get(file)!;
		const hull = element.get('maxhullvert');
		const same = conversion.options.newtonCompat
			? undefined
			: kept.find(
					(own) =>
						own.name === element.name &&
						own.get('size') === element.get('size') &&
						own.get('scale') === element.get('scale') &&
						own.get('maxhullvert') === hull &&
						areSame(conversion.files.get(own.get('file')!)!, bytes),
				);
		if (same === undefined) kept.push(element);
		else replaced.set(`${element.name} ${name}`, same.get('name')!);
	}
	asset.replaceChildren(kept);
	const visit = (element: MjcfElement): void => {
		for (const kind of ['mesh', 'hfield']) {
			const other = replaced.get(`${kind} ${element.get(kind)}`);
			if (element.name === 'geom' && other !== undefined) element.set(kind, other);
		}
		for (const child of element.children) visit(child);
	};
	visit(root);
	for (const element of kept) {
		const file = element.get('file')!;
		const bytes = conversion.files.get(file)!;
		if (element.name !== 'mesh') files.set(file, bytes);
		else {
			const name = file.replace(/\.msh$/, '.obj');
			element.set('file', name);
			files.set(name, objOfMsh(bytes));
		}
	}
	return files;
}

function areSame(a: Uint8Array, b: Uint8Array): boolean {
	return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Wavefront text of MuJoCo's binary mesh; nine digits read back to the same single-precision number. */
function objOfMsh(bytes: Uint8Array): Uint8Array {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const vertexCount = view.getInt32(0, true);
	const faceCount = view.getInt32(12, true);
	const lines: string[] = [];
	let offset = 16;
	const triple = (read: (at: number) => string): string => {
		const parts = [read(offset), read(offset + 4), read(offset + 8)];
		offset += 12;
		return parts.join(' ');
	};
	for (let i = 0; i < vertexCount; i++) {
		lines.push(`v ${triple((at) => String(Number(view.getFloat32(at, true).toPrecision(9))))}`);
	}
	for (let i = 0; i < faceCount; i++) lines.push(`f ${triple((at) => String(view.getInt32(at, true) + 1))}`);
	return new TextEncoder().encode(`${lines.join('\n')}\n`);
}
