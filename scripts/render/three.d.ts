/** What pictures need of three.js. */
declare module 'three' {
	export const ACESFilmicToneMapping: number;
	export class Thing {
		readonly position: Vector3;
		add(...things: readonly Thing[]): this;
	}
	export class AmbientLight extends Thing {
		constructor(color: number, intensity: number);
	}
	export class DirectionalLight extends Thing {
		constructor(color: number, intensity: number);
		target: Thing;
	}
	export class GridHelper extends Thing {
		constructor(size: number, divisions: number, middle: number, lines: number);
	}
	export class PerspectiveCamera extends Thing {
		constructor(angle: number, aspect: number, near: number, far: number);
		lookAt(point: Vector3): void;
	}
	export class Scene extends Thing {
		background: Color;
		environment: unknown;
	}
	export class Color {
		constructor(color: number);
	}
	export interface Vector3 {
		x: number;
		y: number;
		z: number;
		set(x: number, y: number, z: number): this;
		length(): number;
	}
	export class Box3 {
		readonly min: Vector3;
		setFromObject(thing: Thing): this;
		getSize(out: Vector3): Vector3;
		getCenter(out: Vector3): Vector3;
	}
	export class WebGLRenderer {
		constructor(options: { antialias: boolean; preserveDrawingBuffer: boolean });
		readonly domElement: { toDataURL(type: string): string };
		toneMapping: number;
		setSize(width: number, height: number): void;
		render(scene: Scene, camera: PerspectiveCamera): void;
	}
	export class PMREMGenerator {
		constructor(renderer: WebGLRenderer);
		fromScene(scene: Scene, blur: number): { readonly texture: unknown };
	}
}

declare module 'three/addons/environments/RoomEnvironment.js' {
	import type { Scene } from 'three';
	export class RoomEnvironment extends Scene {}
}
