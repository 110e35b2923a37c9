/** Draws a GLB file with three.js: runs in a page. Gives the picture as an address that holds it. */
import {
	ACESFilmicToneMapping,
	AmbientLight,
	Box3,
	Color,
	DirectionalLight,
	GridHelper,
	PerspectiveCamera,
	PMREMGenerator,
	Scene,
	type Thing,
	Vector3,
	WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** The picture of a file at an address. */
export async function drawInPage(address: string, width: number, height: number): Promise<string> {
	const bytes = await (await fetch(address)).arrayBuffer();
	const { scene: loaded } = await new GLTFLoader().parseAsync(bytes, '');
	const robot = loaded as unknown as Thing;
	const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
	renderer.setSize(width, height);
	renderer.toneMapping = ACESFilmicToneMapping;
	const scene = new Scene();
	scene.background = new Color(0xf2f4f7);
	scene.environment = new PMREMGenerator(renderer).fromScene(new RoomEnvironment(), 0.04).texture;
	scene.add(robot, new AmbientLight(0xffffff, 0.1));
	const box = new Box3().setFromObject(robot);
	const size = box.getSize(new Vector3(0, 0, 0)).length();
	const middle = box.getCenter(new Vector3(0, 0, 0));
	const sun = new DirectionalLight(0xffffff, 1.5);
	sun.position.set(middle.x + size, middle.y + 2 * size, middle.z + size);
	sun.target = robot;
	scene.add(sun);
	const grid = new GridHelper(
		Math.max(2, Math.ceil(2 * size)),
		4 * Math.max(2, Math.ceil(2 * size)),
		0x9aa4b2,
		0xd3d9e0,
	);
	grid.position.y = box.min.y;
	scene.add(grid);
	const camera = new PerspectiveCamera(30, width / height, size / 100, 100 * size);
	camera.position.set(middle.x + 1.1 * size, middle.y + 0.7 * size, middle.z + 1.4 * size);
	camera.lookAt(middle);
	renderer.render(scene, camera);
	return renderer.domElement.toDataURL('image/png');
}
