import CameraControls from 'camera-controls';
import {
	Box3,
	BoxGeometry,
	Color,
	DoubleSide,
	FrontSide,
	InstancedMesh,
	Matrix4,
	Mesh,
	MeshBasicMaterial,
	MeshStandardMaterial,
	MOUSE,
	NeutralToneMapping,
	Object3D,
	OrthographicCamera,
	PCFShadowMap,
	PerspectiveCamera,
	Plane,
	Quaternion,
	Raycaster,
	Scene,
	Sphere,
	Spherical,
	Vector2,
	Vector3,
	Vector4,
	WebGLRenderer,
} from 'three';
import { LineCloud } from './line-cloud.ts';
import { LinkIdBuffer } from './link-id-buffer.ts';
import { MeasuredGround } from './measured-ground.ts';
import type { OverlayView } from './overlay-view.ts';
import type { RobotView } from './robot-view.ts';
import { SceneLight } from './scene-light.ts';
import type { SurfaceLook } from './surface-looks.ts';

Object3D.DEFAULT_UP.set(0, 0, 1);
CameraControls.install({
	THREE: { Box3, Matrix4, MOUSE, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 } as never,
});

const RULER = [0.75, 0.1, 0.65];

/** Room around what is looked at, and from where one looks at first: angles about z and from z [rad]. */
const MARGIN = 1.15;
const ASLANT: readonly [number, number] = [Math.PI / 5, 1.15];

/** Sides from which one can look: angles about z and from z [rad]. */
export const SIDES = {
	aslant: ASLANT,
	front: [Math.PI / 2, Math.PI / 2],
	back: [-Math.PI / 2, Math.PI / 2],
	left: [Math.PI, Math.PI / 2],
	right: [0, Math.PI / 2],
	top: [0, 0],
	below: [0, Math.PI],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;
export type SideName = keyof typeof SIDES;

/** Axes across which the picture can be cut. */
export type SectionAxis = 'x' | 'y' | 'z';

/** The picture: a robot on a ground with metres, with drawings over it. Draws only when something changed. */
export class SceneView {
	readonly #renderer: WebGLRenderer;
	readonly #scene = new Scene();
	readonly #perspective = new PerspectiveCamera(40, 1, 0.01, 1000);
	/** Sees a height of two metres until it is zoomed. */
	readonly #parallel = new OrthographicCamera(-1, 1, 1, -1, -100, 100);
	#camera: PerspectiveCamera | OrthographicCamera = this.#perspective;
	readonly #controls: CameraControls;
	readonly #light: SceneLight;
	readonly #ground = new MeasuredGround();
	readonly #ids: LinkIdBuffer;
	readonly #ruler = new LineCloud();
	#look: SurfaceLook = 'plain';
	/** What is not drawn any more. It is given up after the next picture, so that programs that both need stay. */
	readonly #outdated: (() => void)[] = [];
	readonly #observer: ResizeObserver;
	#robot: RobotView | undefined;
	#overlays: OverlayView | undefined;
	#ghost: RobotView | undefined;
	#isDirty = true;
	#aspect = 1;
	#last = 0;
	#frame = 0;

	constructor(canvas: HTMLCanvasElement) {
		this.#renderer = new WebGLRenderer({ canvas, antialias: true });
		this.#renderer.toneMapping = NeutralToneMapping;
		// asking a program for its errors waits until it is made
		this.#renderer.debug.checkShaderErrors = false;
		this.#renderer.shadowMap.enabled = true;
		this.#renderer.shadowMap.type = PCFShadowMap;
		this.#ids = new LinkIdBuffer(this.#renderer);
		this.#controls = new CameraControls(this.#camera, canvas);
		this.#controls.dollyToCursor = true;
		this.#controls.smoothTime = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 0.12;
		void this.#controls.setLookAt(8, -8, 5, 0, 0, 0.4);
		this.#light = new SceneLight(this.#scene, this.#renderer);
		this.setQuality(isSoftware(this.#renderer) ? 'light' : 'full');
		this.#keepPrograms();
		this.#scene.add(this.#ground, this.#ruler);
		this.#measureGround(new Sphere(new Vector3(), 2), 0);
		this.#observer = new ResizeObserver(() => this.#resize());
		this.#observer.observe(canvas);
		canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
		canvas.addEventListener('webglcontextrestored', () => this.invalidate());
		this.#resize();
		const tick = (now: number): void => {
			this.#frame = requestAnimationFrame(tick);
			const moved = this.#controls.update(Math.min(0.1, (now - this.#last) / 1000));
			this.#last = now;
			const isGrowing = this.#robot?.reveal() === true;
			if (moved || this.#isDirty || isGrowing) this.draw();
		};
		this.#frame = requestAnimationFrame(tick);
	}

	/** Asks for a new picture. */
	invalidate(): void {
		this.#isDirty = true;
	}

	/** Shows a robot in place of the one before. */
	setRobot(robot: RobotView | undefined, overlays: OverlayView | undefined): void {
		for (const part of [this.#robot, this.#overlays]) {
			if (part === robot || part === overlays) continue;
			part?.removeFromParent();
			this.#outdated.push(() => part?.dispose());
		}
		this.#robot = robot;
		this.#overlays = overlays;
		robot?.setLook(this.#look);
		for (const part of [robot, overlays]) if (part !== undefined) this.#scene.add(part);
		this.invalidate();
	}

	/** Draws another look of the robot over it; undefined takes it away. */
	setGhost(ghost: RobotView | undefined): void {
		const before = this.#ghost;
		before?.removeFromParent();
		if (before !== undefined) this.#outdated.push(() => before.dispose());
		this.#ghost = ghost;
		if (ghost !== undefined) this.#scene.add(ghost);
		this.invalidate();
	}

	/** Pieces of the look that is drawn over the robot; 0 without one. */
	get ghostPieces(): number {
		return [...(this.#ghost?.instances() ?? [])].length;
	}

	/** Has the programs made that a robot is drawn with, beside the page: asking for one that is not ready waits for it. */
	async prepare(robot: RobotView): Promise<void> {
		await this.#renderer.compileAsync(robot, this.#camera, this.#scene);
	}

	setTheme(theme: 'light' | 'dark'): void {
		this.#scene.background = new Color(theme === 'dark' ? 0x15181d : 0xeef1f5);
		this.invalidate();
	}

	/** How much is spent on a picture: `light` goes without shadows and reflections, for machines without a graphics card. */
	setQuality(quality: 'full' | 'light'): void {
		this.#light.setQuality(quality);
		this.invalidate();
	}

	/** Moves the camera so that everything is seen, or a link. */
	fit(link = -1, isSmooth = true): void {
		if (this.#robot === undefined) return;
		const box = this.#boxOf(link);
		if (box.isEmpty()) return;
		const sphere = box.getBoundingSphere(new Sphere());
		sphere.radius *= MARGIN;
		// rays that are parallel begin behind the eye, which may be inside of the robot
		[this.#parallel.near, this.#parallel.far] = [-20 * sphere.radius, 40 * sphere.radius];
		if (!isSmooth) void this.#controls.rotateTo(ASLANT[0], ASLANT[1], false);
		void this.#controls.fitToSphere(sphere, isSmooth);
		// the next look at the picture is from there already
		if (!isSmooth) this.#controls.update(0);
		this.#ground.putBelow(this.#boxOf(-1));
		this.#measureGround(sphere);
		this.invalidate();
	}

	/** Height at which the ground is drawn [m]. */
	get groundHeight(): number {
		return this.#ground.position.z;
	}

	/** Looks at everything again where the ground has to be elsewhere for it, as when a simulation puts the robot onto it. */
	followGround(): void {
		if (this.#ground.putBelow(this.#boxOf(-1))) this.fit();
	}

	/** Looks at everything from a side. */
	lookFrom(side: SideName): void {
		const [azimuth, polar] = SIDES[side];
		void this.#controls.rotateTo(azimuth, polar, false);
		this.#controls.update(0);
		this.fit(-1);
	}

	/** Direction in which the camera looks. */
	get direction(): Vector3 {
		return this.#camera.getWorldDirection(new Vector3());
	}

	setLook(look: SurfaceLook): void {
		this.#look = look;
		this.#robot?.setLook(look);
		this.invalidate();
	}

	/** Whether things look equally large however far they are. */
	get isParallel(): boolean {
		return this.#camera === this.#parallel;
	}

	/** Looks with parallel rays, or in perspective; what is in the middle stays as large as it is. */
	setParallel(isParallel: boolean): void {
		if (isParallel === this.isParallel) return;
		const halfHeight = Math.tan((this.#perspective.fov * Math.PI) / 360);
		if (isParallel) {
			const zoom = 1 / (halfHeight * this.#controls.distance);
			this.#camera = this.#parallel;
			this.#controls.camera = this.#parallel;
			void this.#controls.zoomTo(zoom, false);
		} else {
			const distance = 1 / (halfHeight * this.#parallel.zoom);
			this.#camera = this.#perspective;
			this.#controls.camera = this.#perspective;
			void this.#controls.zoomTo(1, false);
			void this.#controls.dollyTo(distance, false);
		}
		this.#setAspect(this.#aspect);
		this.#controls.update(0);
		this.invalidate();
	}

	/** Cuts away what is beyond a place on an axis, given as a part of what is shown, 0 to 1; undefined shows all. */
	setSection(axis: SectionAxis | undefined, share = 0.5): void {
		const box = this.#boxOf(-1);
		const planes: Plane[] = [];
		if (axis !== undefined && !box.isEmpty()) {
			const normal = new Vector3();
			normal[axis] = -1;
			planes.push(new Plane(normal, box.min[axis] + share * (box.max[axis] - box.min[axis])));
		}
		this.#renderer.clippingPlanes = planes;
		this.invalidate();
	}

	/** Draws a ruler between two points; less than two draws what is there. */
	setRuler(points: readonly Vector3[]): void {
		const arm = 0.01 * this.extent();
		this.#ruler.draw((lines) => {
			for (const point of points) {
				for (const axis of [new Vector3(arm, 0, 0), new Vector3(0, arm, 0), new Vector3(0, 0, arm)]) {
					lines.line(point.clone().sub(axis), point.clone().add(axis), RULER);
				}
			}
			if (points.length === 2) lines.line(points[0]!, points[1]!, RULER);
		});
		this.invalidate();
	}

	/** Size of what is shown [m]. */
	extent(): number {
		const box = this.#boxOf(-1);
		return box.isEmpty() ? 1 : box.getSize(new Vector3()).length();
	}

	/** The link at a place of the canvas [CSS pixels]; -1 for none. */
	pick(x: number, y: number): number {
		return this.pickWorld(x, y).link;
	}

	/** The link at a place of the canvas [CSS pixels], and its world; -1 for none. */
	pickWorld(x: number, y: number): { readonly link: number; readonly world: number } {
		const { clientWidth, clientHeight } = this.#renderer.domElement;
		if (this.#robot === undefined) return { link: -1, world: -1 };
		const found = this.#ids.pick(this.#robot, this.#camera, x / clientWidth, y / clientHeight);
		this.invalidate();
		return found;
	}

	/** Where the surface of a link is at a place of the canvas [CSS pixels]; undefined where it is not. */
	pointOn(link: number, x: number, y: number): Vector3 | undefined {
		const ray = this.#rayAt(x, y);
		let nearest: { readonly distance: number; readonly point: Vector3 } | undefined;
		for (const { mesh, links } of this.#robot?.instances() ?? []) {
			for (let i = 0; i < mesh.count; i++) {
				if (links[i] !== link) continue;
				const probe = new Mesh(mesh.geometry, new MeshBasicMaterial({ side: DoubleSide }));
				mesh.getMatrixAt(i, probe.matrixWorld);
				probe.matrixWorld.premultiply(mesh.matrix);
				for (const hit of ray.intersectObject(probe, false))
					if (nearest === undefined || hit.distance < nearest.distance) nearest = hit;
			}
		}
		return nearest?.point;
	}

	/** Where a place of the canvas is in the plane through a point that faces the camera. */
	pointBeside(point: Vector3, x: number, y: number): Vector3 {
		const facing = new Plane().setFromNormalAndCoplanarPoint(this.#camera.getWorldDirection(new Vector3()), point);
		return this.#rayAt(x, y).ray.intersectPlane(facing, new Vector3()) ?? point;
	}

	/** Whether dragging moves the camera. */
	setCameraMoves(isOn: boolean): void {
		this.#controls.enabled = isOn;
	}

	/** A stream of the picture, for videos. */
	stream(): MediaStream {
		return this.#renderer.domElement.captureStream(30);
	}

	#rayAt(x: number, y: number): Raycaster {
		const { clientWidth, clientHeight } = this.#renderer.domElement;
		const ray = new Raycaster();
		ray.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.#camera);
		return ray;
	}

	/** In how many pixels each link is seen. */
	linkPixels(width = 320, height = 240): Map<number, number> {
		if (this.#robot === undefined) return new Map();
		this.#robot.reveal(Number.POSITIVE_INFINITY);
		const counts = this.#ids.count(this.#robot, this.#camera, width, height);
		this.invalidate();
		return counts;
	}

	/**
	 * The link of each pixel of a `picture` of a size, rows from the top, -1 for none, and what takes points of the world to the picture:
	 * projection times view, column by column. For tests.
	 */
	linkMap(width: number, height: number): { readonly links: Int32Array; readonly camera: readonly number[] } {
		this.#setAspect(width / height);
		this.fit(-1, false);
		this.#robot?.reveal(Number.POSITIVE_INFINITY);
		this.#camera.updateMatrixWorld();
		const links =
			this.#robot === undefined ? new Int32Array() : this.#ids.map(this.#robot, this.#camera, width, height);
		const { projectionMatrix, matrixWorldInverse } = this.#camera;
		const camera = new Matrix4().multiplyMatrices(projectionMatrix, matrixWorldInverse).toArray();
		this.#resize();
		return { links, camera };
	}

	/** A picture as PNG. */
	async screenshot(): Promise<Blob> {
		this.#robot?.reveal(Number.POSITIVE_INFINITY);
		this.draw();
		return new Promise((resolve, reject) => {
			this.#renderer.domElement.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)));
		});
	}

	/** A picture of a size as PNG, whatever the size of the page. */
	async picture(width: number, height: number): Promise<Blob> {
		this.#renderer.setPixelRatio(1);
		this.#renderer.setSize(width, height, false);
		this.#setAspect(width / height);
		this.fit(-1, false);
		const blob = await this.screenshot();
		this.#resize();
		return blob;
	}

	/** Red, green and blue in which each world is drawn, 0 to 1; empty where worlds are not told apart by colours. */
	worldColors(): number[][] {
		const colors: number[][] = [];
		for (const { mesh, worlds } of this.#robot?.instances() ?? []) {
			const { instanceColor } = mesh;
			if (instanceColor === null) continue;
			worlds.forEach((world, i) => {
				colors[world] = [...instanceColor.array.subarray(3 * i, 3 * i + 3)];
			});
		}
		return colors;
	}

	/** Links that something is drawn on. */
	drawnLinks(): Set<number> {
		return new Set(
			[...(this.#robot?.instances() ?? [])].flatMap(({ links }) => [...links]).filter((link) => link >= 0),
		);
	}

	/** What the last picture cost, and what the graphics card holds. */
	get info(): {
		readonly calls: number;
		readonly triangles: number;
		readonly geometries: number;
		readonly textures: number;
	} {
		const { render, memory } = this.#renderer.info;
		return { calls: render.calls, triangles: render.triangles, ...memory };
	}

	draw(): void {
		this.#isDirty = false;
		this.#renderer.render(this.#scene, this.#camera);
		for (const dispose of this.#outdated.splice(0)) dispose();
	}

	dispose(): void {
		cancelAnimationFrame(this.#frame);
		this.#observer.disconnect();
		this.setRobot(undefined, undefined);
		this.setGhost(undefined);
		for (const dispose of this.#outdated.splice(0)) dispose();
		this.#ids.dispose();
		this.#ruler.dispose();
		this.#controls.dispose();
		this.#renderer.dispose();
	}

	#boxOf(link: number): Box3 {
		const box = new Box3();
		const matrix = new Matrix4();
		for (const { mesh, links } of this.#robot?.instances() ?? []) {
			if (mesh.geometry.boundingBox === null) mesh.geometry.computeBoundingBox();
			const own = mesh.geometry.boundingBox!;
			for (let i = 0; i < mesh.count; i++) {
				if (link >= 0 && links[i] !== link) continue;
				mesh.getMatrixAt(i, matrix);
				// what is not drawn needs no room
				if (matrix.elements[15] === 1 && matrix.getMaxScaleOnAxis() === 0) continue;
				box.union(own.clone().applyMatrix4(matrix.premultiply(mesh.matrix)));
			}
		}
		return box;
	}

	/** Keeps the programs of the graphics card that most robots need: making them while an asset opens would hold the page up. */
	#keepPrograms(): void {
		for (const side of [FrontSide, DoubleSide]) {
			const dot = new InstancedMesh(new BoxGeometry(), new MeshStandardMaterial({ side }), 1);
			dot.setMatrixAt(0, new Matrix4().makeScale(0, 0, 0));
			dot.frustumCulled = false;
			dot.receiveShadow = true;
			this.#scene.add(dot);
		}
	}

	/** Draws the ground and the light for what is in a sphere. */
	#measureGround(sphere: Sphere, numbered?: number): void {
		this.#outdated.push(...this.#ground.measure(sphere.radius, numbered));
		this.#light.reach(sphere);
	}

	#resize(): void {
		const canvas = this.#renderer.domElement;
		const { clientWidth: width, clientHeight: height } = canvas;
		if (width === 0 || height === 0) return;
		this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
		this.#renderer.setSize(width, height, false);
		this.#setAspect(width / height);
		this.draw();
	}

	/** Width of the picture by its height. */
	#setAspect(aspect: number): void {
		this.#aspect = aspect;
		this.#perspective.aspect = aspect;
		[this.#parallel.left, this.#parallel.right] = [-aspect, aspect];
		this.#camera.updateProjectionMatrix();
	}
}

/** Whether pictures are drawn by the processor. */
function isSoftware(renderer: WebGLRenderer): boolean {
	const context = renderer.getContext();
	const info = context.getExtension('WEBGL_debug_renderer_info');
	const name = info === null ? '' : String(context.getParameter(info.UNMASKED_RENDERER_WEBGL));
	return /swiftshader|llvmpipe|software/i.test(name);
}
