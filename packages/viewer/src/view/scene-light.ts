import {
	DirectionalLight,
	HemisphereLight,
	PMREMGenerator,
	type Scene,
	type Sphere,
	Vector3,
	type WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

/** The light of a scene: a sun with shadows, a sky, and a room that surfaces reflect. */
export class SceneLight {
	readonly #scene: Scene;
	readonly #renderer: WebGLRenderer;
	readonly #sun = new DirectionalLight(0xffffff, 2.2);
	readonly #sky = new HemisphereLight(0xffffff, 0xb8bec8);

	constructor(scene: Scene, renderer: WebGLRenderer) {
		this.#scene = scene;
		this.#renderer = renderer;
		scene.environmentIntensity = 0.5;
		// the room has its ceiling along y
		scene.environmentRotation.x = Math.PI / 2;
		this.#sky.position.set(0, 0, 1);
		this.#sun.castShadow = true;
		this.#sun.shadow.mapSize.set(2048, 2048);
		this.#sun.shadow.bias = -0.0004;
		scene.add(this.#sky, this.#sun, this.#sun.target);
	}

	/** How much is spent on it: `light` goes without shadows and reflections, for machines without a graphics card. */
	setQuality(quality: 'full' | 'light'): void {
		const isFull = quality === 'full';
		this.#sun.castShadow = isFull;
		this.#sky.intensity = isFull ? 0.6 : 1.6;
		if (isFull && this.#scene.environment === null) {
			const room = new PMREMGenerator(this.#renderer);
			this.#scene.environment = room.fromScene(new RoomEnvironment(), 0.04).texture;
			room.dispose();
		} else if (!isFull) {
			this.#scene.environment?.dispose();
			this.#scene.environment = null;
		}
	}

	/** Lets the sun and its shadows reach all of a sphere. */
	reach({ center, radius }: Sphere): void {
		const reach = Math.max(radius * 1.6, 0.2);
		const { camera } = this.#sun.shadow;
		[camera.left, camera.right, camera.bottom, camera.top] = [-reach, reach, -reach, reach];
		[camera.near, camera.far] = [0.01, 8 * reach];
		camera.updateProjectionMatrix();
		this.#sun.shadow.normalBias = reach * 0.002;
		this.#sun.target.position.copy(center);
		this.#sun.position.copy(center).add(new Vector3(0.35, -0.5, 1).multiplyScalar(3 * reach));
	}
}
