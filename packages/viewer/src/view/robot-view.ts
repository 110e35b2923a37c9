import {
	Box3,
	type BufferGeometry,
	Color,
	Group,
	InstancedMesh,
	type Material,
	Matrix4,
	type Mesh,
	MeshBasicMaterial,
	MeshStandardMaterial,
	type Object3D,
	Quaternion,
	SRGBColorSpace,
	Vector3,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { OpenedAsset, RobotParts } from '../asset/asset-types.ts';
import { packOnceDrawn } from './pack-once-drawn.ts';
import { writePose } from './pose-matrix.ts';
import { ShapeGeometries } from './shape-geometries.ts';
import { type SurfaceLook, SurfaceLooks } from './surface-looks.ts';

/** Something that is drawn on a link: -1 for what never moves. */
interface Piece {
	readonly link: number;
	/** From the piece to the link. */
	readonly matrix: Matrix4;
}

/** Pieces with one geometry and one material: one draw call for all of them in all worlds. */
interface Batch {
	readonly geometry: BufferGeometry;
	readonly material: Material;
	/** Whether the pieces are mirrored, so that their triangles turn the other way round. */
	readonly isMirrored: boolean;
	readonly pieces: Piece[];
}

const MIRROR = new Matrix4().makeScale(-1, 1, 1);
const GHOST_COLOR = 0x1fa05a;
/** Draws nothing. */
const NOWHERE = new Matrix4().makeScale(0, 0, 0);
/** glTF has Y up, robots have Z up. */
const Z_UP = new Matrix4().makeRotationX(Math.PI / 2);

/**
 * What a robot looks like, in one world or many. The number of draw calls is that of different pieces, whatever the number of worlds;
 * in each frame only matrices of instances are written.
 */
export class RobotView extends Group {
	readonly #batches: readonly Batch[];
	#meshes: InstancedMesh[] = [];
	/** Batches that are drawn already. */
	#revealed = 0;
	#worlds = 1;
	#links = 0;
	#poses: Float32Array = new Float32Array();
	/** How far each world is drawn from where it is, along x and y [m]. */
	#shifts: Float32Array = new Float32Array();
	readonly #looks = new SurfaceLooks();
	#look: SurfaceLook = 'plain';
	/** Red, green and blue of each world, where worlds are told apart by colours. */
	#colors: Float32Array | undefined;
	/** For coloured worlds: colours of the asset would hide theirs. */
	readonly #blank = new MeshStandardMaterial({ roughness: 0.7 });
	#only: number | undefined;
	#ghost: Material | undefined;
	#hidden: ReadonlySet<number> = new Set();
	readonly #highlight = new Group();
	readonly #highlightMaterial = new MeshBasicMaterial({
		color: 0x2f7bff,
		transparent: true,
		opacity: 0.35,
		depthWrite: false,
		polygonOffset: true,
		polygonOffsetFactor: -2,
	});

	/** Draws what an asset shows; shapes of the model where it has nothing else, as scenes, and colliders of links that show nothing. */
	static async of(asset: Pick<OpenedAsset, 'glb' | 'linkOfNode' | 'robot'>): Promise<RobotView> {
		const batches = new Batches();
		if (asset.glb !== undefined) {
			await addGlb(batches, asset.glb, asset.linkOfNode ?? new Int32Array());
			if (asset.robot !== undefined) addUnseen(batches, asset.robot);
		} else if (asset.robot !== undefined) addShapes(batches, asset.robot);
		for (const geometry of new Set(batches.all.map((batch) => batch.geometry))) packOnceDrawn(geometry);
		return new RobotView(batches.all);
	}

	private constructor(batches: readonly Batch[]) {
		super();
		this.#batches = batches;
		this.reveal();
		this.add(this.#highlight);
		this.#makeMeshes();
	}

	/**
	 * Draws some more pieces, as many as the graphics card can be given without a halt; gives whether there are others. Large robots
	 * appear piece by piece.
	 */
	reveal(most: number = MOST_REVEALED): boolean {
		let bytes = 0;
		while (this.#revealed < this.#batches.length && bytes < most) {
			bytes += bytesOf(this.#batches[this.#revealed]!.geometry);
			this.#revealed++;
		}
		for (const [index, mesh] of this.#meshes.entries()) mesh.visible = index < this.#revealed;
		return this.#revealed < this.#batches.length;
	}

	/** Meshes that are drawn, each in one call, with the link and the world of every instance. */
	*instances(): Generator<{ readonly mesh: InstancedMesh; readonly links: Int32Array; readonly worlds: Int32Array }> {
		for (const [index, mesh] of this.#meshes.entries()) {
			const { pieces } = this.#batches[index]!;
			const links = Int32Array.from({ length: mesh.count }, (_, i) => pieces[i % pieces.length]!.link);
			const worlds = Int32Array.from(links, (link, i) => (link < 0 ? 0 : Math.floor(i / pieces.length)));
			yield { mesh, links, worlds };
		}
	}

	/** Takes poses of links: position and rotation of each link of each world. */
	setPoses(poses: Float32Array, links: number, worlds: number): void {
		if (worlds !== this.#worlds) {
			this.#worlds = worlds;
			this.#makeMeshes();
		}
		this.#links = links;
		this.#poses = poses;
		this.#place();
	}

	/** Draws worlds elsewhere than they are: x and y of each [m]; none for those that have no numbers. */
	setShifts(shifts: Float32Array): void {
		this.#shifts = shifts;
		this.#place();
	}

	/** Shows links as selected. */
	select(links: readonly number[]): void {
		const chosen = new Set(links);
		this.#clearHighlight();
		for (const { geometry, pieces, isMirrored } of this.#batches) {
			for (const piece of pieces) {
				if (piece.link < 0 || !chosen.has(piece.link)) continue;
				const mesh = new InstancedMesh(geometry, this.#highlightMaterial, 1);
				mesh.matrixAutoUpdate = false;
				mesh.frustumCulled = false;
				mesh.matrix.copy(isMirrored ? MIRROR : new Matrix4());
				mesh.userData['piece'] = piece;
				this.#highlight.add(mesh);
			}
		}
		this.#place();
	}

	/** Whether the marks of selected links are drawn. */
	setMarked(isMarked: boolean): void {
		this.#highlight.visible = isMarked;
	}

	/** Draws surfaces in another way. */
	setLook(look: SurfaceLook): void {
		this.#look = look;
		for (const [index, mesh] of this.#meshes.entries()) mesh.material = this.#material(index);
	}

	/** The smallest box along the axes of each link that holds what is drawn on it; -1 for what never moves. */
	linkBoxes(): Map<number, Box3> {
		const boxes = new Map<number, Box3>();
		const corner = new Vector3();
		for (const { geometry, pieces } of this.#batches) {
			const positions = geometry.getAttribute('position');
			for (const { link, matrix } of pieces) {
				const box = boxes.get(link) ?? new Box3();
				for (let i = 0; i < positions.count; i++) {
					box.expandByPoint(corner.fromBufferAttribute(positions, i).applyMatrix4(matrix));
				}
				boxes.set(link, box);
			}
		}
		return new Map([...boxes].sort(([a], [b]) => a - b));
	}

	/** Draws all of it in one colour that lets others shine through. */
	makeGhost(): void {
		this.#ghost = new MeshStandardMaterial({
			color: GHOST_COLOR,
			transparent: true,
			opacity: 0.45,
			depthWrite: false,
			polygonOffset: true,
			polygonOffsetFactor: -1,
		});
		this.reveal(Number.POSITIVE_INFINITY);
		this.setLook('plain');
		this.setShadows(false);
	}

	/** Colours worlds: red, green and blue of each, as displays have them; undefined draws the asset as it is. */
	setWorldColors(colors: Float32Array | undefined): void {
		if (colors === undefined && this.#colors === undefined) return;
		this.#colors = colors;
		const color = new Color();
		for (const [index, mesh] of this.#meshes.entries()) {
			const { pieces } = this.#batches[index]!;
			const isColored = colors !== undefined && pieces.some(({ link }) => link >= 0);
			mesh.material = this.#material(index);
			if (!isColored) mesh.instanceColor = null;
			else {
				for (let at = 0; at < mesh.count; at++) {
					const from = 3 * Math.floor(at / pieces.length);
					color.setRGB(colors[from] ?? 1, colors[from + 1] ?? 1, colors[from + 2] ?? 1, SRGBColorSpace);
					mesh.setColorAt(at, color);
				}
				mesh.instanceColor!.needsUpdate = true;
			}
		}
	}

	/** Draws links no longer. */
	hide(links: ReadonlySet<number>): void {
		if (links.size === 0 && this.#hidden.size === 0) return;
		this.#hidden = links;
		this.#place();
	}

	/** Draws one world alone; undefined draws all. */
	showOnly(world: number | undefined): void {
		if (this.#only === world) return;
		this.#only = world;
		this.#place();
	}

	#material(batch: number): Material {
		if (this.#ghost !== undefined) return this.#ghost;
		const { material, pieces } = this.#batches[batch]!;
		const isColored = this.#colors !== undefined && pieces.some(({ link }) => link >= 0);
		return this.#looks.of(isColored ? this.#blank : material, this.#look);
	}

	/** Sets whether shadows are cast: many worlds go without. */
	setShadows(isOn: boolean): void {
		for (const mesh of this.#meshes) {
			mesh.castShadow = isOn;
			mesh.receiveShadow = isOn;
		}
	}

	/** Gives the memory of the graphics card back. */
	override dispose(): void {
		for (const { geometry, material } of this.#batches) {
			geometry.dispose();
			for (const value of Object.values(material)) if (isTexture(value)) value.dispose();
			material.dispose();
		}
		for (const mesh of this.#meshes) mesh.dispose();
		this.#looks.dispose();
		this.#blank.dispose();
		this.#ghost?.dispose();
		this.#clearHighlight();
		this.#highlightMaterial.dispose();
		this.removeFromParent();
	}

	#clearHighlight(): void {
		for (const mesh of this.#highlight.children) (mesh as InstancedMesh).dispose();
		this.#highlight.clear();
	}

	#makeMeshes(): void {
		for (const mesh of this.#meshes) {
			this.remove(mesh);
			mesh.dispose();
		}
		this.#meshes = this.#batches.map(({ geometry, pieces, isMirrored }, index) => {
			// what never moves stands once, not in every world
			const isFixed = pieces.every(({ link }) => link < 0);
			const mesh = new InstancedMesh(geometry, this.#material(index), pieces.length * (isFixed ? 1 : this.#worlds));
			mesh.matrixAutoUpdate = false;
			mesh.frustumCulled = false;
			if (isMirrored) mesh.matrix.copy(MIRROR);
			mesh.visible = index < this.#revealed;
			this.add(mesh);
			return mesh;
		});
		this.setShadows(this.#worlds <= MOST_SHADOWS);
		this.#place();
	}

	#place(): void {
		const pose = new Matrix4();
		const out = new Matrix4();
		const write = (
			mesh: InstancedMesh,
			at: number,
			{ link, matrix }: Piece,
			world: number,
			isMirrored: boolean,
		): void => {
			const place = 7 * (world * this.#links + link);
			if (link < 0 || place + 7 > this.#poses.length) out.copy(matrix);
			else {
				out.multiplyMatrices(writePose(pose, this.#poses, place), matrix);
				out.elements[12]! += this.#shifts[2 * world] ?? 0;
				out.elements[13]! += this.#shifts[2 * world + 1] ?? 0;
			}
			const isElsewhere = this.#only !== undefined && link >= 0 && world !== this.#only;
			if (isElsewhere || this.#hidden.has(link)) out.copy(NOWHERE);
			else if (isMirrored) out.premultiply(MIRROR);
			out.toArray(mesh.instanceMatrix.array, 16 * at);
		};
		for (const [index, mesh] of this.#meshes.entries()) {
			const { pieces, isMirrored } = this.#batches[index]!;
			for (let at = 0; at < mesh.count; at++) {
				write(mesh, at, pieces[at % pieces.length]!, Math.floor(at / pieces.length), isMirrored);
			}
			mesh.instanceMatrix.needsUpdate = true;
		}
		for (const child of this.#highlight.children) {
			const mesh = child as InstancedMesh;
			write(mesh, 0, mesh.userData['piece'] as Piece, 0, mesh.matrix.elements[0]! < 0);
			mesh.instanceMatrix.needsUpdate = true;
		}
	}
}

/** Bytes of geometry that are given to the graphics card at once. */
const MOST_REVEALED = 4 * 2 ** 20;

/** Most worlds that cast shadows. */
const MOST_SHADOWS = 50;

/** Batches in the making, by what they share. */
class Batches {
	readonly all: Batch[] = [];
	readonly #known = new Map<string, Batch>();

	add(geometry: BufferGeometry, material: Material, piece: Piece): void {
		const isMirrored = piece.matrix.determinant() < 0;
		const key = `${geometry.uuid} ${material.uuid} ${isMirrored} ${piece.link < 0}`;
		let batch = this.#known.get(key);
		if (batch === undefined) {
			batch = { geometry, material, isMirrored, pieces: [] };
			this.#known.set(key, batch);
			this.all.push(batch);
		}
		batch.pieces.push(piece);
	}
}

async function addGlb(batches: Batches, glb: Uint8Array<ArrayBuffer>, linkOfNode: Int32Array): Promise<void> {
	const buffer = glb.byteLength === glb.buffer.byteLength ? glb.buffer : glb.slice().buffer;
	const { scene, parser } = await new GLTFLoader().parseAsync(buffer, '');
	scene.updateMatrixWorld(true);
	const linkOf = (object: Object3D): number => {
		const node = parser.associations.get(object)?.nodes;
		return node === undefined ? -1 : (linkOfNode[node] ?? -1);
	};
	scene.traverse((object) => {
		if (!('isMesh' in object)) return;
		const mesh = object as Mesh | InstancedMesh;
		let holder: Object3D | null = mesh;
		while (holder !== null && linkOf(holder) < 0) holder = holder.parent;
		const link = holder === null ? -1 : linkOf(holder);
		const toLink =
			holder === null ? new Matrix4() : rigidInverse(new Matrix4().multiplyMatrices(Z_UP, holder.matrixWorld));
		const matrix = toLink.multiply(Z_UP).multiply(mesh.matrixWorld);
		const instances = 'isInstancedMesh' in mesh ? mesh.count : 1;
		for (let i = 0; i < instances; i++) {
			const own = matrix.clone();
			if ('isInstancedMesh' in mesh) {
				const inner = new Matrix4();
				mesh.getMatrixAt(i, inner);
				own.multiply(inner);
			}
			for (const material of [mesh.material].flat()) batches.add(mesh.geometry, material, { link, matrix: own });
		}
	});
}

/** The inverse of the pose that is in a matrix: scales are left out. */
function rigidInverse(matrix: Matrix4): Matrix4 {
	const position = new Vector3();
	const rotation = new Quaternion();
	matrix.decompose(position, rotation, new Vector3());
	return new Matrix4().compose(position, rotation, new Vector3(1, 1, 1)).invert();
}

/** Colliders of links that have nothing to see: a robot without pictures of its parts is still a robot. */
function addUnseen(batches: Batches, robot: RobotParts): void {
	const seen = new Set(batches.all.flatMap(({ pieces }) => pieces.map(({ link }) => link)));
	const material = new MeshStandardMaterial({ color: 0x8d97a5, roughness: 0.8 });
	const geometries = new ShapeGeometries(robot.meshes);
	for (const shape of robot.shapes) {
		if (!shape.collides || shape.link < 0 || shape.kind === 'plane' || seen.has(shape.link)) continue;
		const { geometry, matrix } = geometries.of(shape);
		batches.add(geometry, material, { link: shape.link, matrix });
	}
}

/** Shapes of a model as they are seen. */
function addShapes(batches: Batches, robot: RobotParts): void {
	const geometries = new ShapeGeometries(robot.meshes);
	const materials = new Map<string, MeshStandardMaterial>();
	for (const shape of robot.shapes) {
		if (!shape.isVisible || shape.kind === 'plane') continue;
		const key = [...shape.color, shape.opacity].join(' ');
		let material = materials.get(key);
		if (material === undefined) {
			material = new MeshStandardMaterial({ roughness: 0.7, opacity: shape.opacity, transparent: shape.opacity < 1 });
			(material.color as Color).setRGB(...shape.color, SRGBColorSpace);
			materials.set(key, material);
		}
		const { geometry, matrix } = geometries.of(shape);
		batches.add(geometry, material, { link: shape.link, matrix });
	}
}

function bytesOf({ attributes, index }: BufferGeometry): number {
	const arrays = [...Object.values(attributes), ...(index === null ? [] : [index])];
	return arrays.reduce((sum, { array }) => sum + array.byteLength, 0);
}

function isTexture(value: unknown): value is { dispose(): void } {
	return typeof value === 'object' && value !== null && 'isTexture' in value;
}
