import { BufferAttribute, type BufferGeometry, type TypedArray } from 'three';
import { nextTask } from '../next-task.ts';
import { type IndexArray, packDirections, packIndices, unpackDirections, unpackIndices } from './packed-numbers.ts';

/** Bytes from which on an array is packed. */
const LEAST = 2 ** 16;

/**
 * Keeps the indices and normals of a geometry packed from when the graphics card has them. Rays, edges and a graphics card that lost
 * all it had still find them: they are unpacked when they are asked for, for as long as a task lasts.
 */
export function packOnceDrawn(geometry: BufferGeometry): void {
	const { index } = geometry;
	if (index !== null && (index.array instanceof Uint16Array || index.array instanceof Uint32Array)) {
		keepPacked(index, (array) => unpackerOf(array as IndexArray));
	}
	const normals = geometry.hasAttribute('normal') ? geometry.getAttribute('normal') : undefined;
	if (normals instanceof BufferAttribute && normals.array instanceof Float32Array && normals.itemSize === 3) {
		keepPacked(normals, (array) => {
			const packed = packDirections(array as Float32Array);
			return () => unpackDirections(packed);
		});
	}
}

function unpackerOf(indices: IndexArray): (() => IndexArray) | undefined {
	const packed = packIndices(indices);
	if (packed === undefined) return undefined;
	const { length } = indices;
	const isShort = indices instanceof Uint16Array;
	return () => unpackIndices(packed, isShort ? new Uint16Array(length) : new Uint32Array(length));
}

function keepPacked(attribute: BufferAttribute, pack: (array: TypedArray) => (() => TypedArray) | undefined): void {
	if (attribute.array.byteLength < LEAST) return;
	let isPacked = false;
	attribute.onUpload(() => {
		if (isPacked) return;
		isPacked = true;
		// a task of its own: giving it to the graphics card took long enough
		void nextTask().then(() => {
			const unpack = pack(attribute.array);
			if (unpack === undefined) return;
			let array: TypedArray | undefined;
			Object.defineProperty(attribute, 'array', {
				configurable: true,
				enumerable: true,
				get: () => {
					if (array === undefined) {
						array = unpack();
						setTimeout(() => {
							array = undefined;
						});
					}
					return array;
				},
			});
		});
	});
}
