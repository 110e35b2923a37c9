import { mat4Invert, mat4Multiply, transformToMat4 } from '@manyworlds/core/internal';
import { SHAPE_CONFIG_DEFAULTS, type ShapeConfig, type ShapeMesh, type ShapeOptions, WORLD } from '@manyworlds/model';
import type { Prim, PurposeInfo } from '@manyworlds/usd';
import { computePurposeInfo, geomSubsets, inheritPurpose, isImageable, isUsualPrim } from '@manyworlds/usd/internal';
import type { ImportContext } from './context.ts';
import { hasApi } from './joint-values.ts';
import { asNumber, attributeValue, authoredValue } from './plain-value.ts';
import { decomposeMatrix, mirroredPose, type Pose, turnToAxis } from './poses.ts';
import { type Shear, shearOf, stretchMesh } from './shear.ts';
import { gather, type LoadedMesh, UsdMeshes } from './usd-mesh.ts';
import { NEUTRAL_COLOR, type VisualMaterial, VisualMaterials } from './visual-material.ts';

const LOADABLE: ReadonlySet<string> = new Set(['Cube', 'Sphere', 'Plane', 'Capsule', 'Cylinder', 'Cone', 'Mesh']);

/** Faces of a mesh with a material of their own. */
interface MeshPart {
	readonly label: string;
	readonly mesh: ShapeMesh;
	readonly material: VisualMaterial;
}

type PlacedOptions = ShapeOptions & { readonly xform: Pose; readonly config: Partial<ShapeConfig> };

/** Where visuals hang: a body of the builder with its pose, or the world. */
interface Owner {
	readonly body: number;
	/** Pose of the body in the builder's space, in units of the stage. */
	readonly pose: Pose | undefined;
	/** Pose of the articulation root on the stage, taken out when roots are placed anew. */
	readonly root: Pose | undefined;
}

/** Loads geometry that is only seen, and sites. */
export class VisualLoader {
	readonly materials: VisualMaterials;
	readonly meshes: UsdMeshes;
	readonly #ctx: ImportContext;
	readonly #shown = new Map<string, boolean>();
	readonly #purposes = new Map<string, PurposeInfo>();

	constructor(ctx: ImportContext) {
		this.#ctx = ctx;
		this.materials = new VisualMaterials(ctx);
		this.meshes = new UsdMeshes(ctx);
	}

	/** Loads what hangs on a body, down to bodies, joints and colliders below it. */
	loadBody(body: number, prim: Prim, pose: Pose, root: Pose | undefined): void {
		const { loadVisualShapes, loadSites } = this.#ctx.options;
		if (!loadVisualShapes && !loadSites) return;
		const owner = { body, pose, root };
		const stack = childrenOf(prim).map((child) => ({ child, isVisual: loadVisualShapes }));
		for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
			const next = this.#visit(owner, top.child, top.isVisual);
			if (next === undefined) continue;
			stack.push(...childrenOf(top.child).map((child) => ({ child, isVisual: next })));
		}
	}

	/** Loads one prim that hangs on nothing. */
	loadStatic(prim: Prim): void {
		this.#visit({ body: WORLD, pose: undefined, root: undefined }, prim, true);
	}

	/** Whether viewports draw a prim. */
	isDrawn(prim: Prim): boolean {
		return isImageable(prim) && this.#isShown(prim) && isViewportPurpose(this.#purpose(prim).purpose);
	}

	#isShown(prim: Prim): boolean {
		const path = prim.path.toString();
		let isShown = this.#shown.get(path);
		if (isShown === undefined) {
			const { parent } = prim;
			const isOwn = !isImageable(prim) || prim.attribute('visibility').get()?.data !== 'invisible';
			isShown = isOwn && (parent === undefined || parent.isPseudoRoot || this.#isShown(parent));
			this.#shown.set(path, isShown);
		}
		return isShown;
	}

	#purpose(prim: Prim): PurposeInfo {
		const path = prim.path.toString();
		let found = this.#purposes.get(path);
		if (found === undefined) {
			const { parent } = prim;
			found =
				parent === undefined || parent.isPseudoRoot
					? computePurposeInfo(prim)
					: inheritPurpose(prim, this.#purpose(parent));
			this.#purposes.set(path, found);
		}
		return found;
	}

	/** The mesh of a prim with its looks: with texture coordinates where an image needs them. */
	meshWithLooks(prim: Prim): ShapeMesh | undefined {
		const material = this.materials.of(prim);
		const loaded = this.meshes.load(prim, { uvs: material.texture !== undefined, normals: false });
		return loaded === undefined ? undefined : withLooks(loaded.mesh, material);
	}

	/** Loads a prim; gives whether visuals below it are wanted, undefined when nothing below it is. */
	#visit(owner: Owner, prim: Prim, isVisual: boolean): boolean | undefined {
		const ctx = this.#ctx;
		const path = prim.path.toString();
		if (prim.hasSchema('PhysicsRigidBodyAPI') || ctx.isIgnored(path)) return undefined;
		if (isEnabledCollider(prim)) return false;
		if (prim.typeName.toLowerCase().endsWith('joint')) return undefined;
		const isSite = hasApi(prim, 'NewtonSiteAPI') || hasApi(prim, 'MjcSiteAPI');
		if (isSite && !ctx.options.loadSites) return undefined;
		if (!isSite && !isVisual) return isVisual;
		if (LOADABLE.has(prim.typeName) && !ctx.shapes.has(path)) this.#add(owner, prim, path, isSite);
		return isVisual;
	}

	#add(owner: Owner, prim: Prim, path: string, isSite: boolean): void {
		const ctx = this.#ctx;
		const placement = this.#placement(owner, prim);
		const { pose: proper, scale: signed } = decomposeMatrix(placement);
		const size: [number, number, number] = [Math.abs(signed[0]), signed[1], signed[2]];
		const isMirrorLost = signed[0] < 0 && ctx.has('visual-mirror');
		const scale = isMirrorLost ? size : signed;
		const isVisible = isSite || this.isDrawn(prim);
		const material = this.materials.of(prim);
		const carriesTexture = material.texture !== undefined && prim.typeName === 'Mesh';
		const color = material.color ?? (carriesTexture || !isVisible ? undefined : NEUTRAL_COLOR);
		const options = {
			xform: isMirrorLost ? mirroredPose(placement) : proper,
			config: { ...visualConfig(ctx), isVisible, ...(isSite ? { isSite: true, collisionGroup: 0 } : {}) },
			label: path,
			...(color === undefined ? {} : { color }),
			...(material.opacity === undefined ? {} : { opacity: material.opacity }),
		};
		const shear = ctx.options.newtonCompat || prim.typeName === 'Plane' ? undefined : shearOf(placement);
		if (shear !== undefined && prim.typeName !== 'Mesh') {
			ctx.tell('IMP038', prim, `the transform shears the ${prim.typeName.toLowerCase()}; it is imported without that`);
		}
		const shape =
			prim.typeName === 'Mesh'
				? this.#addMesh(owner.body, prim, path, options, scale, shear)
				: this.#addPrimitive(owner.body, prim, path, options, scale, isSite);
		if (shape === undefined) return;
		ctx.shapes.set(path, shape);
		ctx.shapeScales.set(path, scale);
		ctx.mark(path, isSite ? 'site' : 'visual');
		if (!isSite && isVisible) ctx.bodiesWithVisuals.add(owner.body);
	}

	/** The matrix from a prim to the body it hangs on, or to the builder's space. */
	#placement(owner: Owner, prim: Prim): Float64Array {
		const ctx = this.#ctx;
		let matrix = ctx.transforms.worldTransform(prim);
		const apply = (pose: Pose, isInverse: boolean): void => {
			const by = transformToMat4(new Float64Array(16), pose);
			if (isInverse) mat4Invert(by, by);
			matrix = mat4Multiply(new Float64Array(16), matrix, by);
		};
		if (owner.root !== undefined) apply(owner.root, true);
		apply(ctx.incoming, false);
		if (owner.pose !== undefined) apply(owner.pose, true);
		return matrix;
	}

	#addPrimitive(
		body: number,
		prim: Prim,
		path: string,
		options: PlacedOptions,
		scale: readonly [number, number, number],
		isSite: boolean,
	): number {
		const { builder } = this.#ctx;
		const size = scale.map(Math.abs) as [number, number, number];
		const number = (name: string, fallback: number): number => asNumber(attributeValue(prim, name)) ?? fallback;
		const axis = axisOf(prim);
		const along = size['XYZ'.indexOf(axis)]!;
		const across = Math.max(...size.filter((_, i) => i !== 'XYZ'.indexOf(axis)));
		const round = (radius: number, height: number): { radius: number; halfHeight: number } => ({
			radius: number('radius', radius) * across,
			halfHeight: (number('height', height) / 2) * along,
		});
		const site = { ...options, asSite: isSite };
		const turned = { ...site, xform: turnToAxis(options.xform, axis) };
		switch (prim.typeName) {
			case 'Cube': {
				const half = number('size', 2) / 2;
				return builder.addShapeBox(body, { ...site, halfExtents: size.map((factor) => factor * half) });
			}
			case 'Sphere':
				this.tellAboutSphere(prim, size);
				return builder.addShapeSphere(body, { ...site, radius: number('radius', 1) * Math.max(...size) });
			case 'Capsule':
				return builder.addShapeCapsule(body, { ...turned, ...round(0.5, 1) });
			case 'Cylinder':
				return builder.addShapeCylinder(body, { ...turned, ...round(1, 2) });
			case 'Cone':
				return builder.addShapeCone(body, { ...turned, ...round(1, 2) });
			default: {
				// width runs along z on planes across x, length on planes across y
				const read = this.#ctx.has('visual-plane') ? authoredValue : attributeValue;
				const extent = (name: string): number => asNumber(read(prim, name)) ?? 0;
				const width = extent('width') * (axis === 'X' ? size[2] : size[0]);
				const length = extent('length') * (axis === 'Y' ? size[2] : size[1]);
				return builder.addShapePlane({ ...options, xform: turned.xform, body, width, length, label: path });
			}
		}
	}

	#addMesh(
		body: number,
		prim: Prim,
		path: string,
		options: PlacedOptions,
		scale: readonly [number, number, number],
		shear: Shear | undefined,
	): number | undefined {
		const place = (mesh: ShapeMesh): { mesh: ShapeMesh; scale: readonly number[]; xform?: Pose } =>
			shear === undefined
				? { mesh, scale }
				: { mesh: stretchMesh(mesh, shear.stretch), scale: [1, 1, 1], xform: shear.pose };
		const { builder } = this.#ctx;
		const parts = this.#subsetMeshes(prim, path);
		if (parts.length === 0) {
			const mesh = this.meshWithLooks(prim);
			if (mesh === undefined) return undefined;
			return builder.addShapeMesh(body, { ...options, ...place(mesh) });
		}
		let first: number | undefined;
		for (const { label, mesh, material } of parts) {
			const { xform, config } = options;
			const looks = material.opacity === undefined ? {} : { opacity: material.opacity };
			const shape = builder.addShapeMesh(body, { xform, config, ...looks, ...place(mesh), label });
			this.#ctx.shapes.set(label, shape);
			this.#ctx.shapeScales.set(label, scale);
			this.#ctx.mark(label, 'visual');
			first ??= shape;
		}
		return first;
	}

	/** A mesh for each face subset that binds a material of its own, before them one for faces in none. */
	#subsetMeshes(prim: Prim, path: string): MeshPart[] {
		const subsets = geomSubsets(prim, { elementType: 'face' }).filter(
			({ familyName, indices }) => (familyName === '' || familyName === 'materialBind') && indices.length > 0,
		);
		const bound = subsets.filter(({ prim: subset }) =>
			subset.relationships().some((rel) => rel.name.startsWith('material:binding') && rel.targets().length > 0),
		);
		if (bound.length === 0) return [];
		const loaded = this.meshes.load(prim, { uvs: true, normals: true });
		if (loaded === undefined) return [];
		const taken = new Uint8Array(loaded.faceCount);
		const parts: MeshPart[] = [];
		const add = (label: string, owner: Prim, faces: Uint8Array): void => {
			const mesh = facesOf(loaded, faces);
			const material = this.materials.of(owner);
			if (mesh !== undefined) parts.push({ label, mesh: withLooks(mesh, material), material });
		};
		for (const { prim: subset, indices } of bound) {
			const chosen = new Uint8Array(loaded.faceCount);
			for (const index of indices) {
				if (index < 0 || index >= loaded.faceCount) {
					this.#ctx.tell(
						'IMP032',
						subset,
						`face ${index} is out of range: the mesh has ${loaded.faceCount} faces`,
						'indices',
					);
					continue;
				}
				chosen[index] = 1;
				taken[index] = 1;
			}
			add(subset.path.toString(), subset, chosen);
		}
		if (parts.length === 0) return [];
		add(
			path,
			prim,
			taken.map((isTaken) => 1 - isTaken),
		);
		const last = parts[parts.length - 1]!;
		return last.label === path ? [last, ...parts.slice(0, -1)] : parts;
	}

	/** Says that a sphere is stretched, which it cannot be. */
	tellAboutSphere(prim: Prim, scale: readonly number[]): void {
		const [least, most] = [Math.min(...scale), Math.max(...scale)];
		if (most - least <= 1e-6 * Math.max(Math.abs(least), Math.abs(most))) return;
		this.#ctx.tell(
			'IMP031',
			prim,
			`the sphere is scaled by (${scale.join(', ')}); it is imported with the largest factor`,
		);
	}
}

/** Settings of what is only seen: the usual ones, not those that the builder has for colliders. In units of the stage. */
export function visualConfig({ units, builder }: ImportContext): Partial<ShapeConfig> {
	return {
		...units.shapeConfig(SHAPE_CONFIG_DEFAULTS),
		gap: units.toStageLength(builder.rigidGap),
		density: 0,
		hasShapeCollision: false,
		hasParticleCollision: false,
	};
}

function isViewportPurpose(purpose: string): boolean {
	return purpose === 'default' || purpose === 'proxy';
}

/** Whether a prim is a collider that is switched on. */
export function isEnabledCollider(prim: Prim): boolean {
	return prim.hasSchema('PhysicsCollisionAPI') && attributeValue(prim, 'physics:collisionEnabled') !== false;
}

/** Children that a scene usually means, the last one first. */
function childrenOf(prim: Prim): Prim[] {
	return prim.children().filter(isUsualPrim).reverse();
}

function axisOf(prim: Prim): 'X' | 'Y' | 'Z' {
	const axis = authoredValue(prim, 'axis');
	return axis === 'X' || axis === 'Y' ? axis : 'Z';
}

/** The triangles of some faces, with the vertices they use in their old order. */
function facesOf({ mesh, faceOfTriangle }: LoadedMesh, chosen: Uint8Array): ShapeMesh | undefined {
	const corners: number[] = [];
	for (let triangle = 0; triangle < mesh.indices.length / 3; triangle++) {
		if (chosen[faceOfTriangle?.[triangle] ?? triangle] !== 1) continue;
		for (let k = 0; k < 3; k++) corners.push(mesh.indices[3 * triangle + k]!);
	}
	if (corners.length === 0) return undefined;
	const used = [...new Set(corners)].sort((a, b) => a - b);
	const place = new Map(used.map((vertex, i) => [vertex, i]));
	return {
		vertices: gather(mesh.vertices, used, 3),
		indices: Uint32Array.from(corners, (vertex) => place.get(vertex)!),
		...(mesh.normals === undefined ? {} : { normals: gather(mesh.normals, used, 3) }),
		...(mesh.uvs === undefined ? {} : { uvs: gather(mesh.uvs, used, 2) }),
	};
}

/** A mesh with its material; an image gives the colour, so that nothing tints it. */
export function withLooks(mesh: ShapeMesh, material: VisualMaterial): ShapeMesh {
	const color = material.texture === undefined ? material.color : ([1, 1, 1] as const);
	return {
		...mesh,
		...(color === undefined ? {} : { color }),
		...(material.metallic === undefined ? {} : { metallic: material.metallic }),
		...(material.roughness === undefined ? {} : { roughness: material.roughness }),
		...(material.texture === undefined ? {} : { texture: material.texture }),
	};
}
