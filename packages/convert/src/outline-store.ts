import { createBox } from '@manyworlds/mesh';
import { detectMeshFormat, estimateMeshBounds } from '@manyworlds/mesh/internal';
import type { AssetStore } from '@manyworlds/usd';
import { withBytes } from '@manyworlds/usd/internal';

/** Files that are read as they are: reading them takes no time [bytes]. */
const SMALL = 1 << 16;

/** The same files, with boxes in place of large mesh files. Readers take a box for what it stands for. */
export function outlineStore(store: AssetStore): AssetStore {
	const known = new Map<string, Uint8Array>();
	return withBytes(store, (identifier) => {
		const made = known.get(identifier);
		if (made !== undefined) return made;
		const bytes = store.bytes(identifier);
		if (!(bytes instanceof Uint8Array) || bytes.length < SMALL) return bytes;
		if (!/\.(stl|obj|dae|gltf|glb)$/i.test(identifier) || detectMeshFormat(bytes, identifier) === undefined)
			return bytes;
		const box = estimateMeshBounds(bytes, identifier);
		if (box === undefined) return bytes;
		const outline = boxFile([...box.least], [...box.most]);
		known.set(identifier, outline);
		return outline;
	});
}

/** A box as a binary STL, which is told by its content whatever it is called. */
function boxFile(least: readonly number[], most: readonly number[]): Uint8Array {
	const { vertices, indices } = createBox(1);
	const bytes = new Uint8Array(84 + (50 * indices.length) / 3);
	const view = new DataView(bytes.buffer);
	view.setUint32(80, indices.length / 3, true);
	for (let corner = 0; corner < indices.length; corner++) {
		const at = 84 + 50 * Math.floor(corner / 3) + 12 + 12 * (corner % 3);
		for (let axis = 0; axis < 3; axis++) {
			const value = (vertices[3 * indices[corner]! + axis]! > 0 ? most : least)[axis]!;
			view.setFloat32(at + 4 * axis, value, true);
		}
	}
	return bytes;
}
