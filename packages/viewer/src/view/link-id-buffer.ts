import {
	type Camera,
	Color,
	InstancedBufferAttribute,
	type InstancedMesh,
	type Material,
	MeshBasicMaterial,
	NoToneMapping,
	Scene,
	type WebGLRenderer,
	WebGLRenderTarget,
} from 'three';
import type { RobotView } from './robot-view.ts';

/** Says which link is seen where: each is drawn in a colour of its own into a picture that nobody sees. */
export class LinkIdBuffer {
	readonly #renderer: WebGLRenderer;
	readonly #material = new MeshBasicMaterial({ toneMapped: false, fog: false });
	readonly #target = new WebGLRenderTarget(1, 1);

	constructor(renderer: WebGLRenderer) {
		this.#renderer = renderer;
	}

	/** The link at a place of the picture, which is 0 to 1 from its top left corner; -1 for none. */
	pick(
		robot: RobotView,
		camera: Camera & { setViewOffset: CallableFunction; clearViewOffset(): void },
		x: number,
		y: number,
	): number {
		const [width, height] = [1024, 1024];
		camera.setViewOffset(width, height, Math.floor(x * width), Math.floor(y * height), 1, 1);
		const [link] = this.#draw(robot, camera, 1, 1);
		camera.clearViewOffset();
		return link!;
	}

	/** Number of pixels in which each link is seen, in a picture of a size. */
	count(robot: RobotView, camera: Camera, width: number, height: number): Map<number, number> {
		const counts = new Map<number, number>();
		for (const link of this.#draw(robot, camera, width, height)) {
			if (link >= 0) counts.set(link, (counts.get(link) ?? 0) + 1);
		}
		return counts;
	}

	dispose(): void {
		this.#material.dispose();
		this.#target.dispose();
	}

	#draw(robot: RobotView, camera: Camera, width: number, height: number): Int32Array {
		const renderer = this.#renderer;
		const parent = robot.parent;
		const scene = new Scene();
		const restored: { mesh: InstancedMesh; material: Material | Material[]; colors: InstancedMesh['instanceColor'] }[] =
			[];
		for (const { mesh, links } of robot.instances()) {
			restored.push({ mesh, material: mesh.material, colors: mesh.instanceColor });
			const colors = new Float32Array(3 * links.length);
			links.forEach((link, i) => {
				const id = link + 2;
				colors.set([(id & 255) / 255, ((id >> 8) & 255) / 255, ((id >> 16) & 255) / 255], 3 * i);
			});
			mesh.instanceColor = new InstancedBufferAttribute(colors, 3);
			mesh.material = this.#material;
		}
		scene.add(robot);
		scene.background = new Color(0);
		const toneMapping = renderer.toneMapping;
		renderer.toneMapping = NoToneMapping;
		this.#target.setSize(width, height);
		renderer.setRenderTarget(this.#target);
		renderer.clear();
		renderer.render(scene, camera);
		const pixels = new Uint8Array(4 * width * height);
		renderer.readRenderTargetPixels(this.#target, 0, 0, width, height, pixels);
		renderer.setRenderTarget(null);
		renderer.toneMapping = toneMapping;
		for (const { mesh, material, colors } of restored) {
			mesh.material = material;
			mesh.instanceColor = colors;
		}
		parent?.add(robot);
		return Int32Array.from({ length: width * height }, (_, i) => {
			const id = pixels[4 * i]! | (pixels[4 * i + 1]! << 8) | (pixels[4 * i + 2]! << 16);
			return id - 2;
		});
	}
}
