import { Report } from '@manyworlds/core';
import { MemoryStore } from '@manyworlds/usd';
import { GLTFLoader, type ThreeNode } from 'three/addons/loaders/GLTFLoader.js';
import { convertRobot } from '../../src/index.ts';

/** What three.js sees in a converted robot. */
export interface Seen {
	/** The file, as numbers. */
	readonly bytes: readonly number[];
	/** Corners in the world with each number rounded to 1e-5, each once and sorted. */
	readonly corners: readonly string[];
	readonly animations: number;
	readonly scenes: readonly string[];
}

/** Converts files to GLB and loads the result with three.js; runs in a page. */
export async function seeInPage(files: Readonly<Record<string, string>>, main: string): Promise<Seen> {
	const bytes = convert(files, main);
	const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
	gltf.scene.updateMatrixWorld(true);
	const corners = new Set<string>();
	gltf.scene.traverse(({ geometry, matrixWorld }: ThreeNode) => {
		const position = geometry?.attributes.position;
		const m = matrixWorld.elements;
		for (let i = 0; i < (position?.count ?? 0); i++) {
			const [x, y, z] = [0, 1, 2].map((k) => position!.getComponent(i, k)) as [number, number, number];
			corners.add(cornerText(...[0, 1, 2].map((k) => m[k]! * x + m[4 + k]! * y + m[8 + k]! * z + m[12 + k]!)));
		}
	});
	return {
		bytes: [...bytes],
		corners: [...corners].sort(),
		animations: gltf.animations.length,
		scenes: gltf.scenes.map(({ name }) => name),
	};
}

/** The same bytes in Node and in a page. Files are base64. */
export function convert(files: Readonly<Record<string, string>>, main: string): Uint8Array {
	const store = new MemoryStore(
		Object.fromEntries(
			Object.entries(files).map(([name, text]) => [name, Uint8Array.from(atob(text), (char) => char.charCodeAt(0))]),
		),
	);
	const options = { store, to: 'glb', includeColliders: true, animateJoints: true, report: new Report() } as const;
	const robot = convertRobot(main, options);
	return robot!.files[0]!.content as Uint8Array;
}

/** A corner as text, so that sets of them can be compared. */
export function cornerText(...numbers: readonly number[]): string {
	return numbers.map((value) => (Math.round(value * 1e5) / 1e5 + 0).toFixed(5)).join(' ');
}
