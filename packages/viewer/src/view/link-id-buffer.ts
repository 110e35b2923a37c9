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

const NOTHING = { link: -1, world: -1 } as const;

/** Says which link is seen where: each is drawn in a colour of its own into a picture that nobody sees. */
export class LinkIdBuffer {
	readonly #renderer: WebGLRenderer;
	readonly #material = new MeshBasicMaterial({ toneMapped: false, fog: false });
	readonly #target = new WebGLRenderTarget(1, 1);

	constructor(renderer: WebGLRenderer) {
		this.#renderer = renderer;
	}

	/** The link at a place of the picture, which is 0 to 1 from its top left corner, and its world; -1 for none. */
	pick(
		robot: RobotView,
		camera: Camera & { setViewOffset: CallableFunction; clearViewOffset(): void },
		x: number,
		y: number,
	): { readonly link: number; readonly world: number } {
		const [width, height] = [1024, 1024];
		camera.setViewOffset(width, height, Math.floor(x * width), Math.floor(y * height), 1, 1);
		const { ids, stride } = this.#draw(robot, camera, 1, 1);
		camera.clearViewOffset();
		const id = ids[0]!;
		return id < 0 ? NOTHING : { link: (id % stride) - 1, world: Math.floor(id / stride) };
	}

	/** Number of pixels in which each link is seen, in a picture of a size. */
	count(robot: RobotView, camera: Camera, width: number, height: number): Map<number, number> {
		const counts = new Map<number, number>();
		const { ids, stride } = this.#draw(robot, camera, width, height);
		for (const id of ids) {
			const link = id < 0 ? -1 : (id % stride) - 1;
			if (link >= 0) counts.set(link, (counts.get(link) ?? 0) + 1);
		}
		return counts;
	}

	/** The link of each pixel of a picture of a size, rows from the top; -1 for none. */
	map(robot: RobotView, camera: Camera, width: number, height: number): Int32Array {
		const { ids, stride } = this.#draw(robot, camera, width, height);
		const links = new Int32Array(ids.length);
		for (let row = 0; row < height; row++) {
			// the graphics card counts from the bottom
			const from = (height - 1 - row) * width;
			for (let x = 0; x < width; x++) links[row * width + x] = ids[from + x]! < 0 ? -1 : (ids[from + x]! % stride) - 1;
		}
		return links;
	}

	dispose(): void {
		this.#material.dispose();
		this.#target.dispose();
	}

	/** For each pixel -1, or a number: one more than the link, and `stride` for each world before. */
	#draw(robot: RobotView, camera: Camera, width: number, height: number): { ids: Int32Array; stride: number } {
		const renderer = this.#renderer;
		const parent = robot.parent;
		const scene = new Scene();
		const restored: { mesh: InstancedMesh; material: Material | Material[]; colors: InstancedMesh['instanceColor'] }[] =
			[];
		const all = [...robot.instances()];
		const stride = 2 + all.reduce((most, { links }) => links.reduce((a, b) => Math.max(a, b), most), -1);
		for (const { mesh, links, worlds } of all) {
			restored.push({ mesh, material: mesh.material, colors: mesh.instanceColor });
			const colors = new Float32Array(3 * links.length);
			links.forEach((link, i) => {
				const id = link + 2 + stride * worlds[i]!;
				colors.set([(id & 255) / 255, ((id >> 8) & 255) / 255, ((id >> 16) & 255) / 255], 3 * i);
			});
			mesh.instanceColor = new InstancedBufferAttribute(colors, 3);
			mesh.material = this.#material;
		}
		// marks would mix their colour with the numbers of links
		robot.setMarked(false);
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
		robot.setMarked(true);
		parent?.add(robot);
		const ids = Int32Array.from({ length: width * height }, (_, i) => {
			const id = pixels[4 * i]! | (pixels[4 * i + 1]! << 8) | (pixels[4 * i + 2]! << 16);
			return id - 1;
		});
		return { ids, stride };
	}
}
