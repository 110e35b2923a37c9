import { ModelError, type ShapeConfig, ShapeFlags, type ShapeMesh, type ShapeOptions, WORLD } from '@manyworlds/model';
import type { PhysicsShape, Prim, XformOp } from '@manyworlds/usd';
import { xformOps } from '@manyworlds/usd/internal';
import type { ImportContext } from './context.ts';
import { readCustomValues } from './custom-values.ts';
import type { Decide, MassRecorder } from './mass-recorder.ts';
import { statedMass } from './mass-values.ts';
import { CONTACT_GAINS, type ContactMaterial, readContactMaterials } from './physics-materials.ts';
import { asNumber, authoredValue } from './plain-value.ts';
import { composePoses, decomposeMatrix, makePose, type Pose, turnToAxis } from './poses.ts';
import type { Resolved } from './resolvers/resolver-set.ts';
import { readSdfSettings } from './sdf-settings.ts';
import { colliderShear, type Shear, stretchMesh } from './shear.ts';
import { NEUTRAL_COLOR } from './visual-material.ts';
import { isEnabledCollider, type VisualLoader, withLooks } from './visuals.ts';

/** How a mesh collider is simplified. */
export type Approximation =
	| 'convexHull'
	| 'convexDecomposition'
	| 'boundingSphere'
	| 'boundingCube'
	| 'meshSimplification';

/** Ways to simplify, by the token in lower case. */
const APPROXIMATIONS: Readonly<Record<string, Approximation>> = {
	convexhull: 'convexHull',
	convexdecomposition: 'convexDecomposition',
	boundingsphere: 'boundingSphere',
	boundingcube: 'boundingCube',
	meshsimplification: 'meshSimplification',
};

/** A mesh shape that is still to be simplified. */
export interface PendingApproximation {
	readonly shape: number;
	readonly method: Approximation;
	/** Whether the mesh as authored stays to be seen. */
	readonly keepsVisual: boolean;
	readonly prim: Prim;
}

/** Adds the colliders of a stage as shapes. */
export class ColliderImporter {
	readonly pending: PendingApproximation[] = [];
	/** Shapes that are switched off. */
	readonly disabled: number[] = [];
	readonly #ctx: ImportContext;
	readonly #visuals: VisualLoader;
	readonly #masses: MassRecorder;
	readonly #decide: Decide;
	readonly #groups = new Map<string, number>();
	readonly #weighed = new Map<string, boolean>();
	#materials: ReadonlyMap<string, ContactMaterial> = new Map();

	constructor(ctx: ImportContext, visuals: VisualLoader, masses: MassRecorder, decide: Decide) {
		this.#ctx = ctx;
		this.#visuals = visuals;
		this.#masses = masses;
		this.#decide = decide;
	}

	/** Reads physics materials; shapes take theirs from here. */
	readMaterials(): void {
		this.#materials = readContactMaterials(this.#ctx);
	}

	/** Adds every collider. */
	importAll(): void {
		for (const shape of this.#ctx.physics.shapes) {
			const path = shape.primPath.toString();
			if (this.#ctx.isIgnored(path)) continue;
			const prim = this.#ctx.stage.prim(shape.primPath)!;
			if (!shape.isValid) continue;
			if (UNSUPPORTED.has(shape.kind)) {
				this.#ctx.tell(
					'IMP030',
					prim,
					`colliders of type '${prim.typeName}' are not imported: models have no such shape`,
				);
				continue;
			}
			this.#importOne(shape, prim, path);
		}
	}

	#importOne(shape: PhysicsShape, prim: Prim, path: string): void {
		const ctx = this.#ctx;
		const { builder, resolvers, options } = ctx;
		const isEnabled = isEnabledCollider(prim);
		const material = this.#materials.get(shape.materials[0]?.toString() ?? '') ?? this.#materials.get('')!;
		const body = ctx.bodies.get(shape.rigidBody.toString()) ?? WORLD;
		const attributes = readCustomValues(ctx, prim, ['shape']);
		resolvers.collect(prim);
		const isMesh = shape.kind === 'MeshShape';
		const credits: [Resolved, string][] = [];
		const { margin, gap } = this.#distances(prim, credits);
		const contact = this.#contactGains(prim, material, credits);
		const sdf = readSdfSettings(ctx, prim, isMesh);
		const isSolid = resolvers.resolve(prim, 'shape', 'mass_model', 'solid').value !== 'shell';
		const wall = this.#wallThickness(prim, margin);
		const density = isEnabled ? material.density : 0;
		if (ctx.shapes.has(path)) {
			// a disabled collider was seen before, as a visual
			ctx.mark(path, 'collider');
			this.#masses.record(shape, prim, { density, isSolid, thickness: wall });
			return;
		}
		const shear = this.#shear(shape, prim, body, isMesh);
		const looks = this.#visuals.materials.of(prim);
		const isHidden = options.hideCollisionShapes && options.loadVisualShapes && ctx.bodiesWithVisuals.has(body);
		const isDrawn = this.#visuals.isDrawn(prim);
		const isVisible = (options.forceShowColliders || isDrawn) && !isHidden;
		const carriesTexture = looks.texture !== undefined && isMesh;
		const color = looks.color ?? (carriesTexture || !isVisible ? undefined : NEUTRAL_COLOR);
		const defaults = ctx.units.shapeConfig(builder.defaultShapeConfig);
		const config: Partial<ShapeConfig> = {
			...contact,
			margin: wall,
			gap: gap ?? ctx.units.toStageLength(builder.rigidGap),
			mu: material.mu,
			restitution: material.restitution,
			muTorsional: material.muTorsional,
			muRolling: material.muRolling,
			density,
			collisionGroup: this.#collisionGroup(shape),
			hasShapeCollision: true,
			hasParticleCollision: true,
			collisionFilterParent: true,
			isVisible,
			isSolid,
			isHydroelastic: sdf.isHydroelastic,
			kh: sdf.kh ?? defaults.kh,
		};
		const common = {
			xform: this.#placement(shape, prim, body, isMesh ? shear : undefined),
			config,
			label: path,
			attributes,
			...(color === undefined ? {} : { color }),
			...(isVisible && looks.opacity !== undefined ? { opacity: looks.opacity } : {}),
		};
		const isSeen = isVisible || (options.loadVisualShapes && isDrawn && !isHidden);
		const index = this.#addWeighed(shape, prim, body, common, isSeen, shear);
		if (index === undefined) return;
		ctx.shapes.set(path, index);
		ctx.shapeScales.set(path, signedScale(ctx, prim));
		ctx.mark(path, 'collider');
		// the wall of a hollow shape took the place of the margin for its mass alone
		builder.column('shapeMargin')[index] = margin;
		for (const [resolved, array] of credits) ctx.credit(resolved, array, index);
		for (const [resolved, array] of material.credits) ctx.credit(resolved, array, index);
		this.#explain(index, path, material);
		this.#masses.record(shape, prim, { density, isSolid, thickness: wall });
		if (!isEnabled) {
			this.disabled.push(index);
			const flags = builder.column('shapeFlags');
			flags[index] = flags[index]! & ~(ShapeFlags.COLLIDE_SHAPES | ShapeFlags.COLLIDE_PARTICLES);
		}
		if (isMesh && isEnabled && !options.skipMeshApproximation) {
			this.#queue(prim, index, options.loadVisualShapes && isDrawn && !isHidden);
		}
	}

	/** Says where friction, restitution and size of a shape come from. */
	#explain(index: number, path: string, material: ContactMaterial): void {
		const ctx = this.#ctx;
		ctx.give('shape_scale', index, {
			source: 'computed',
			path,
			why: 'the size of the geometry times the scale in the world',
		});
		const bound = material.path === undefined ? undefined : ctx.stage.prim(material.path);
		for (const [name, array] of [
			['physics:dynamicFriction', 'shape_material_mu'],
			['physics:restitution', 'shape_material_restitution'],
		] as const) {
			const why = 'it is a property of the material that is bound for physics';
			const whyNot = 'the bound material leaves it at the default of the schema';
			const unbound = { source: 'builder default', path, why: 'no physics material is bound to the collider' } as const;
			if (bound === undefined) ctx.give(array, index, unbound);
			else ctx.giveOrigin(array, index, bound, name, why, whyNot);
		}
	}

	/** Pose in the body, or in the builder's space. */
	#placement(shape: PhysicsShape, prim: Prim, body: number, shear: Shear | undefined): Pose {
		const ctx = this.#ctx;
		const local = shear?.pose ?? makePose(shape.localPos, shape.localRot);
		if (body !== WORLD) return local;
		// a collider of a body that was left out stays where it is on the stage
		const isLost = !shape.rigidBody.isEmpty && !ctx.has('hidden-body-frame');
		return composePoses(ctx.incoming, isLost && shear === undefined ? ctx.factored(prim).pose : local);
	}

	/** The shear of a collider, which meshes can take and primitives cannot. */
	#shear(shape: PhysicsShape, prim: Prim, body: number, isMesh: boolean): Shear | undefined {
		const ctx = this.#ctx;
		const owner = body === WORLD ? undefined : ctx.stage.prim(shape.rigidBody);
		const shear = shape.kind === 'PlaneShape' ? undefined : colliderShear(ctx, prim, owner);
		if (shear !== undefined && !isMesh) {
			ctx.tell('IMP038', prim, `the transform shears the ${prim.typeName.toLowerCase()}; it is imported without that`);
		}
		return shear;
	}

	#distances(prim: Prim, credits: [Resolved, string][]): { margin: number; gap: number | undefined } {
		const ctx = this.#ctx;
		const defaults = ctx.units.shapeConfig(ctx.builder.defaultShapeConfig);
		const resolvedMargin = ctx.resolvers.resolve(prim, 'shape', 'margin', defaults.margin);
		const resolvedGap = ctx.resolvers.resolve(prim, 'shape', 'gap');
		credits.push([resolvedMargin, 'shape_margin']);
		if (resolvedGap.source === 'authored') credits.push([resolvedGap, 'shape_gap']);
		let margin = asNumber(resolvedMargin.value) ?? defaults.margin;
		const found = asNumber(resolvedGap.value);
		const gap = found === Number.NEGATIVE_INFINITY ? defaults.gap : found;
		if (
			ctx.options.legacyMarginGap &&
			resolvedMargin.resolver?.name === 'mjc' &&
			resolvedMargin.source === 'authored'
		) {
			const mjcGap = asNumber(authoredValue(prim, 'mjc:gap')) ?? 0;
			const inflated = margin;
			margin -= mjcGap;
			if (mjcGap !== 0) {
				ctx.ledger.convert(prim.path.toString(), 'mjc:gap', {
					resolver: 'mjc',
					from: 'mjc:margin - mjc:gap',
					to: 'margin',
				});
			}
			if (margin < 0) {
				ctx.tell('IMP034', prim, `mjc:margin ${inflated} less mjc:gap ${mjcGap} is a negative margin`, 'mjc:margin');
			}
		}
		return { margin, gap };
	}

	/** For each gain: MuJoCo's of the shape where that resolver comes before Newton's, the material's, the shape's, the default. */
	#contactGains(
		prim: Prim,
		material: ContactMaterial,
		credits: [Resolved, string][],
	): Pick<ShapeConfig, 'ke' | 'kd' | 'kf' | 'ka'> {
		const ctx = this.#ctx;
		const defaults = ctx.units.shapeConfig(ctx.builder.defaultShapeConfig);
		const first = ctx.resolvers.resolvers.find(({ name }) => name === 'mjc' || name === 'newton');
		const isSolrefFirst = first?.name === 'mjc' && authoredValue(prim, 'mjc:solref') !== undefined;
		const gains = CONTACT_GAINS.map((gain) => {
			const own = ctx.resolvers.resolve(prim, 'shape', gain);
			const value = asNumber(own.value);
			const isOwn = value !== undefined && Number.isFinite(value);
			const ofMaterial = material.gains[gain];
			const isMaterials = ofMaterial !== undefined && Number.isFinite(ofMaterial);
			const isFirst = isSolrefFirst && (gain === 'ke' || gain === 'kd');
			if (isOwn && (isFirst || !isMaterials)) {
				credits.push([own, `shape_material_${gain}`]);
				return [gain, value] as const;
			}
			return [gain, isMaterials ? ofMaterial : defaults[gain]] as const;
		});
		return Object.fromEntries(gains) as Pick<ShapeConfig, 'ke' | 'kd' | 'kf' | 'ka'>;
	}

	/** The wall of a hollow shape: as authored, else the margin. */
	#wallThickness(prim: Prim, distance: number): number {
		const margin = Math.max(0, distance);
		const thickness = asNumber(this.#ctx.resolvers.resolve(prim, 'shape', 'shell_thickness').value);
		if (thickness === undefined || !Number.isFinite(thickness)) return margin;
		if (thickness >= 0) return thickness;
		this.#ctx.tell(
			'IMP036',
			prim,
			`newton:shellThickness is ${thickness}, expected 0 or more; the margin is used`,
			'newton:shellThickness',
		);
		return margin;
	}

	/** Groups decide by explicit pairs, so all shapes share one; numbers of their own only to repeat Newton's fault. */
	#collisionGroup(shape: PhysicsShape): number {
		const { builder } = this.#ctx;
		const group = shape.collisionGroups[0]?.toString();
		if (group === undefined || !this.#ctx.has('collision-groups')) return builder.defaultShapeConfig.collisionGroup;
		let number = this.#groups.get(group);
		if (number === undefined) {
			number = this.#groups.size + 1;
			this.#groups.set(group, number);
		}
		return number;
	}

	/** Adds a shape; one whose mass cannot be, such as a wall thicker than the shape, without mass. */
	#addWeighed(
		shape: PhysicsShape,
		prim: Prim,
		body: number,
		options: ColliderOptions,
		isSeen: boolean,
		shear: Shear | undefined,
	): number | undefined {
		try {
			return this.#add(shape, prim, body, options, isSeen, shear);
		} catch (error) {
			if (!(error instanceof ModelError) || error.code !== 'MODEL008') throw error;
			this.#ctx.tell('IMP041', prim, `the collider adds nothing to the mass of its body: ${error.message}`);
			return this.#add(shape, prim, body, { ...options, config: { ...options.config, density: 0 } }, isSeen, shear);
		}
	}

	#add(
		shape: PhysicsShape,
		prim: Prim,
		body: number,
		options: ColliderOptions,
		isSeen: boolean,
		shear: Shear | undefined,
	): number | undefined {
		const { builder } = this.#ctx;
		switch (shape.kind) {
			case 'CubeShape':
				return builder.addShapeBox(body, { ...options, halfExtents: Array.from(shape.halfExtents, Math.abs) });
			case 'SphereShape':
				this.#visuals.tellAboutSphere(
					prim,
					decomposeMatrix(this.#ctx.transforms.worldTransform(prim)).scale.map(Math.abs),
				);
				return builder.addShapeSphere(body, { ...options, radius: shape.radius });
			case 'CapsuleShape':
			case 'CylinderShape':
			case 'ConeShape': {
				const { radius, halfHeight } = shape;
				const round = { ...options, xform: turnToAxis(options.xform, shape.axis), radius, halfHeight };
				if (shape.kind === 'CapsuleShape') return builder.addShapeCapsule(body, round);
				return shape.kind === 'ConeShape' ? builder.addShapeCone(body, round) : builder.addShapeCylinder(body, round);
			}
			case 'PlaneShape':
				return builder.addShapePlane({
					...options,
					xform: turnToAxis(options.xform, shape.axis),
					body,
					width: 0,
					length: 0,
				});
			case 'MeshShape':
				if (body === WORLD || this.#isWeighed(shape.rigidBody.toString())) {
					// what the mesh weighs does not count, and takes long to find
					const unweighed = { ...options, config: { ...options.config, density: 0 } };
					if (!this.#ctx.options.loadColliderMeshes)
						return builder.addShapeMesh(body, { ...unweighed, mesh: STAND_IN, scale: [1, 1, 1] });
					return this.#addMesh(prim, body, unweighed, shear ?? shape.meshScale, isSeen);
				}
				return this.#addMesh(prim, body, options, shear ?? shape.meshScale, isSeen);
			default:
				return undefined;
		}
	}

	#addMesh(
		prim: Prim,
		body: number,
		options: ColliderOptions,
		scale: Float32Array | Shear,
		isSeen: boolean,
	): number | undefined {
		const { resolvers, builder } = this.#ctx;
		const plain = this.#visuals.meshes.load(prim)?.mesh;
		if (plain === undefined) return undefined;
		const seen = isSeen ? this.#visuals.meshWithLooks(prim) : withLooks(plain, this.#visuals.materials.of(prim));
		const limit = resolvers.resolve(prim, 'shape', 'max_hull_vertices', this.#ctx.options.meshMaxhullvert);
		const loaded: ShapeMesh = { ...(seen ?? plain), maxHullVertices: asNumber(limit.value) ?? -1 };
		const isSheared = 'stretch' in scale;
		const mesh = isSheared ? stretchMesh(loaded, scale.stretch) : loaded;
		const index = builder.addShapeMesh(body, {
			...options,
			mesh,
			scale: isSheared ? [1, 1, 1] : scale,
		});
		this.#ctx.credit(limit, 'shape_source.maxHullVertices', index);
		return index;
	}

	/** Whether a body says what it weighs, so that its colliders need not be known for that. */
	#isWeighed(path: string): boolean {
		let isWeighed = this.#weighed.get(path);
		if (isWeighed === undefined) {
			isWeighed = this.#decide(() => {
				const { mass, diagonalInertia, centerOfMass } = statedMass(this.#ctx, this.#ctx.stage.prim(path)!);
				return mass !== undefined && diagonalInertia !== undefined && centerOfMass !== undefined;
			});
			this.#weighed.set(path, isWeighed);
		}
		return isWeighed;
	}

	#queue(prim: Prim, shape: number, keepsVisual: boolean): void {
		const token = authoredValue(prim, 'physics:approximation');
		if (typeof token !== 'string' || token.toLowerCase() === 'none') return;
		if (prim.hasSchema('NewtonSDFCollisionAPI')) {
			this.#ctx.tell(
				'IMP037',
				prim,
				`physics:approximation '${token}' does not count where NewtonSDFCollisionAPI is applied`,
				'physics:approximation',
			);
			return;
		}
		const method = APPROXIMATIONS[token.toLowerCase()];
		if (method === undefined) {
			const known = ['none', ...Object.values(APPROXIMATIONS)].join(', ');
			this.#ctx.tell(
				'IMP037',
				prim,
				`physics:approximation is '${token}', expected one of ${known}; the mesh is imported as it is`,
				'physics:approximation',
			);
			return;
		}
		this.pending.push({ shape, method, keepsVisual, prim });
	}
}

/** Stands for a mesh that is not read. */
const STAND_IN: ShapeMesh = {
	vertices: Float64Array.of(0, 0, 0, 1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3),
	indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
};

type ColliderOptions = ShapeOptions & { readonly xform: Pose };

const UNSUPPORTED: ReadonlySet<PhysicsShape['kind']> = new Set([
	'Capsule1Shape',
	'Cylinder1Shape',
	'SpherePointsShape',
	'CustomShape',
]);

/** Scale of a prim in the world, with the signs of the scale ops above it. */
function signedScale(ctx: ImportContext, prim: Prim): readonly [number, number, number] {
	const size = decomposeMatrix(ctx.transforms.worldTransform(prim)).scale.map(Math.abs);
	const signs = scaleSigns(ctx, prim);
	return [size[0]! * signs[0]!, size[1]! * signs[1]!, size[2]! * signs[2]!];
}

/** Signs of the scale ops of a prim and of those above it. */
function scaleSigns(ctx: ImportContext, prim: Prim): readonly number[] {
	const path = prim.path.toString();
	let signs = ctx.scaleSigns.get(path);
	if (signs === undefined) {
		const { ops, resetsXformStack } = xformOps(prim);
		const { parent } = prim;
		const isTop = resetsXformStack || parent === undefined || parent.isPseudoRoot;
		const own = isTop ? [1, 1, 1] : [...scaleSigns(ctx, parent)];
		for (const op of ops) {
			scaleOf(op)?.forEach((factor, i) => {
				if (factor < 0) own[i] = -own[i]!;
			});
		}
		signs = own;
		ctx.scaleSigns.set(path, signs);
	}
	return signs;
}

/** Factors of an op that scales. */
function scaleOf(op: XformOp): readonly number[] | undefined {
	const matrix = op.kind === 'scale' ? op.matrix() : undefined;
	return matrix === undefined ? undefined : [matrix[0]!, matrix[5]!, matrix[10]!];
}
