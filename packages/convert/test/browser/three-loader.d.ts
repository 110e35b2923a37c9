declare module 'three/addons/loaders/GLTFLoader.js' {
	/** What three.js makes of a file, as far as tests look at it. */
	export class GLTFLoader {
		setMeshoptDecoder(decoder: object): this;
		parseAsync(
			data: ArrayBuffer,
			path: string,
		): Promise<{
			readonly scene: ThreeNode;
			readonly scenes: readonly { readonly name: string }[];
			readonly animations: readonly unknown[];
		}>;
	}
	/** An object of a scene; by columns, as three.js has matrices. */
	export interface ThreeNode {
		readonly isMesh?: boolean;
		readonly geometry?: {
			readonly attributes: { readonly position: ThreeAttribute; readonly normal?: ThreeAttribute };
			readonly index?: { readonly count: number; getX(i: number): number };
		};
		readonly matrixWorld: { readonly elements: readonly number[] };
		updateMatrixWorld(force: boolean): void;
		traverse(visit: (node: ThreeNode) => void): void;
	}
	export interface ThreeAttribute {
		readonly count: number;
		getComponent(i: number, k: number): number;
	}
}
