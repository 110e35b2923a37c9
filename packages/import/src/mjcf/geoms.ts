import { quote } from '@manyworlds/core';
import type { MjcfElement } from '@manyworlds/formats';
import { segmentFrame } from '@manyworlds/formats/internal';
import type { ShapeConfig, ShapeMesh, ShapeOptions } from '@manyworlds/model';
import type { AttributeValue } from '@manyworlds/model/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { addMeshShape } from '../mesh/mesh-colliders.ts';
import type { Assets, MeshAsset } from './assets.ts';
import type { Attributes } from './attributes.ts';
import { contactGains } from './contact-gains.ts';
import { labelEnds } from './contacts.ts';
import { composed, framedSegment, type MjcfContext } from './context.ts';
import { readCustomAttributes } from './custom-attributes.ts';
import { fitToMesh } from './fit-mesh.ts';
import { type GeomForm, type GeomMass, geomMass } from './geom-mass.ts';
import { keepWritten } from './written-attributes.ts';

/** Where geoms stand and what becomes of them. */
export interface GeomPlacement {
	/** Body of the builder, -1 for the world. */
	readonly body: number;
	/** Name for geoms without one. */
	readonly bodyName: string;
	readonly labelPrefix: string;
	/** Frame of the geoms in the body; left out, the body's own. */
	readonly frame: Float64Array | undefined;
	/** Default class around them. */
	readonly ambient: string;
	/** Whether they weigh. */
	readonly weighs: boolean;
}

const TYPES = ['plane', 'hfield', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf'] as const;
type GeomType = (typeof TYPES)[number];

/** Adds geoms to the builder and collects their masses. */
export class GeomImporter {
	readonly #context: MjcfContext;
	readonly #assets: Assets;
	/** Names of geoms in explicit pairs: they collide whatever their masks say. */
	readonly #paired: ReadonlySet<string>;
	readonly #maskDomain: number;

	constructor(context: MjcfContext, assets: Assets, paired: ReadonlySet<string>, maskDomain: number) {
		this.#context = context;
		this.#assets = assets;
		this.#paired = paired;
		this.#maskDomain = maskDomain;
	}

	/** Imports geoms of one body or frame: visual ones first, then those that collide. Gives their masses. */
	add(geoms: readonly MjcfElement[], placement: GeomPlacement): GeomMass[] {
		const { options } = this.#context;
		const { visuals, colliders, required } = this.#partition(geoms, placement);
		const masses: GeomMass[] = [];
		const parse = (list: readonly Attributes[], isVisual: boolean, isVisible: boolean): number[] => {
			return this.#shapes(list, placement, isVisual, isVisible, masses);
		};
		const drop = (list: readonly Attributes[]): void => {
			for (const [i, attributes] of list.entries()) this.#mass(attributes, placement, i, masses);
		};
		const showsVisuals = options.parseVisuals && !this.#context.document.compiler.discardVisual;
		let collide = colliders;
		if (options.parseVisualsAsColliders) {
			drop(colliders.filter((item) => !visuals.includes(item)));
			collide = visuals;
		} else if (showsVisuals || (this.#context.options.newtonCompat && options.parseVisuals)) {
			this.#context.visualShapes.push(...parse(visuals, true, !options.hideVisuals));
		} else {
			drop(visuals.filter((item) => !colliders.includes(item)));
		}
		const isShown = options.forceShowColliders || options.parseVisualsAsColliders;
		this.#context.colliderShapes.push(...parse([...collide, ...required], false, isShown));
		return masses;
	}

	#partition(
		geoms: readonly MjcfElement[],
		placement: GeomPlacement,
	): { visuals: Attributes[]; colliders: Attributes[]; required: Attributes[] } {
		const context = this.#context;
		const { visualClasses, colliderClasses, noClassAsColliders, ignoreClasses } = context.options;
		const visuals: Attributes[] = [];
		const colliders: Attributes[] = [];
		const required: Attributes[] = [];
		for (const [i, geom] of geoms.entries()) {
			const className = geom.get('class');
			const attributes = context.attributes(geom, placement.ambient);
			const isOf = (classes: typeof visualClasses): boolean =>
				className !== undefined && context.matches(classes, className);
			if (isOf(ignoreClasses)) {
				attributes.ignoreAll('the option ignoreClasses leaves it out');
				continue;
			}
			const name = attributes.values.get('name')?.text ?? `${placement.bodyName}_geom_${i}`;
			const label = placement.labelPrefix === '' ? name : `${placement.labelPrefix}/${name}`;
			const collides = this.#masks(attributes).some((mask) => mask !== 0);
			const falls = noClassAsColliders && collides ? colliders : visuals;
			if (this.#isPaired(label)) required.push(attributes);
			else {
				const [isVisual, isCollider] = [isOf(visualClasses), isOf(colliderClasses)];
				if (isVisual) visuals.push(attributes);
				if (isCollider) colliders.push(attributes);
				if (!isVisual && !isCollider) falls.push(attributes);
			}
		}
		return { visuals, colliders, required };
	}

	#isPaired(label: string): boolean {
		return labelEnds(label).some((end) => this.#paired.has(end));
	}

	#masks(attributes: Attributes): [number, number] {
		return [attributes.integer('contype', 1), attributes.integer('conaffinity', 1)];
	}

	#shapes(
		list: readonly Attributes[],
		placement: GeomPlacement,
		isVisual: boolean,
		isVisible: boolean,
		masses: GeomMass[],
	): number[] {
		const shapes: number[] = [];
		for (const [i, attributes] of list.entries()) {
			const fallback = `${placement.bodyName}_geom_${i}${isVisual ? '_visual' : ''}`;
			const name = attributes.text('name') ?? fallback;
			if (this.#context.matches(this.#context.options.ignoreNames, name)) {
				attributes.ignoreAll('the option ignoreNames leaves it out');
				continue;
			}
			const form = this.#form(attributes, placement);
			if (form === undefined) continue;
			if (placement.weighs) this.#weigh(attributes, form, masses);
			const label = placement.labelPrefix === '' ? name : `${placement.labelPrefix}/${name}`;
			const added = this.#addShapes(attributes, form, placement, { label, isVisual, isVisible });
			for (const shape of added) {
				this.#give(shape, attributes);
				keepWritten(this.#context, 'geom', shape, attributes);
			}
			this.#context.geomShapes.push({ element: attributes.element, body: placement.body, shapes: added });
			const own = attributes.element.ownName;
			if (own !== undefined && added[0] !== undefined && !this.#context.geoms.has(own)) {
				this.#context.geoms.set(own, added[0]);
			}
			shapes.push(...added);
		}
		return shapes;
	}

	/** Says where the numbers of a shape came from. */
	#give(shape: number, attributes: Attributes): void {
		for (const [array, name] of SHAPE_SOURCES) {
			this.#context.give(
				array,
				shape,
				attributes,
				name,
				`the geom has no '${name}', so the default of the builder counts`,
			);
		}
	}

	/** Mass of a geom that does not become a shape. */
	#mass(attributes: Attributes, placement: GeomPlacement, i: number, masses: GeomMass[]): void {
		const name = attributes.values.get('name')?.text ?? `${placement.bodyName}_geom_${i}_visual`;
		if (this.#context.matches(this.#context.options.ignoreNames, name) || !placement.weighs) return;
		const form = this.#form(attributes, placement);
		if (form !== undefined) this.#weigh(attributes, form, masses);
		attributes.ignoreAll('only the mass of the geom counts, its shape is not imported');
	}

	#weigh(attributes: Attributes, form: GeomForm, masses: GeomMass[]): void {
		const [least, most] = this.#context.document.compiler.inertiaGroupRange;
		const group = attributes.integer('group', 0);
		if (group < least || group > most) return;
		const mass = geomMass(this.#context, attributes, form);
		if (mass !== undefined) masses.push(mass);
	}

	/** Type, size and pose of a geom; undefined, with a diagnostic, when it cannot be made. */
	#form(attributes: Attributes, placement: GeomPlacement): GeomForm | undefined {
		const context = this.#context;
		const meshName = attributes.text('mesh');
		const word = attributes.word('type') ?? 'sphere';
		let type = TYPES.find((item) => item === word);
		if (type === undefined) {
			attributes.fault('MJCF006', 'type', `expected one of ${TYPES.join(', ')}`, 'warning');
			return undefined;
		}
		const isFitted = meshName !== undefined && attributes.has('type') && FITTED.includes(type);
		if (meshName !== undefined && !isFitted) type = 'mesh';
		if (attributes.has('hfield')) type = 'hfield';
		const pose = framed(attributes.pose(), placement.frame);
		if (type === 'mesh' || type === 'sdf' || isFitted) {
			if (type === 'mesh' && !context.options.parseMeshes) {
				attributes.ignoreAll('the option parseMeshes leaves meshes out');
				return undefined;
			}
			const asset = this.#meshOf(attributes, meshName);
			if (asset === undefined) return undefined;
			const meshes = this.#meshesOf(attributes, asset);
			if (meshes === undefined) return undefined;
			const solid = context.options.newtonCompat ? undefined : () => this.#assets.solidOf(asset);
			if (!isFitted) {
				const form = { type: 'mesh', size: Float64Array.of(1, 1, 1), pose, meshes, asset } as const;
				return solid === undefined ? form : { ...form, solid };
			}
			return fitToMesh(context, attributes, type as Fitted, pose, meshes, asset, solid?.());
		}
		if (type === 'hfield') return this.#heightfieldForm(attributes, pose);
		const size = this.#size(attributes, type);
		if (size === undefined) return undefined;
		if (type === 'plane') return { type, size, pose };
		if (attributes.has('fromto') && type !== 'sphere')
			return this.#segmentForm(attributes, type, size, placement.frame);
		return { type, size, pose };
	}

	#meshOf(attributes: Attributes, name: string | undefined): MeshAsset | undefined {
		const asset = name === undefined ? undefined : this.#assets.mesh(name);
		if (asset !== undefined) return asset;
		const message =
			name === undefined
				? `${attributes.subject} is of type mesh and names none`
				: `${attributes.subject} names the mesh ${quote(name)}, which the model does not have`;
		this.#context.fault('MJCF009', message, attributes.element);
		return undefined;
	}

	#meshesOf(attributes: Attributes, asset: MeshAsset): readonly ShapeMesh[] | undefined {
		const { scale } = this.#context.options;
		// Newton multiplies in single precision
		const single = (factor: number): number => Math.fround(Math.fround(factor) * Math.fround(scale));
		const factors = asset.scale.map((factor) => (this.#context.options.newtonCompat ? single(factor) : factor * scale));
		const material = this.#materialOf(attributes);
		const rgba = attributes.numbers('rgba', { least: 3, most: 4 }) ?? material?.rgba;
		return this.#assets.loadMesh(asset, factors, {
			color: rgba === undefined ? undefined : [rgba[0]!, rgba[1]!, rgba[2]!],
			texture: material?.texture,
		});
	}

	#materialOf(attributes: Attributes): ReturnType<Assets['material']> {
		const name = attributes.text('material');
		if (name === undefined) return undefined;
		const material = this.#assets.material(name);
		if (material === undefined) attributes.fault('MJCF009', 'material', 'which the model does not have');
		return material;
	}

	#heightfieldForm(attributes: Attributes, pose: Float64Array): GeomForm | undefined {
		if (!this.#context.options.parseMeshes) {
			attributes.ignoreAll('the option parseMeshes leaves heightfields out');
			return undefined;
		}
		const name = attributes.text('hfield');
		if (name === undefined || !this.#assets.hasHeightfield(name)) {
			const message = `${attributes.subject} names the heightfield ${quote(name ?? '')}, which the model does not have`;
			this.#context.fault('MJCF009', message, attributes.element);
			return undefined;
		}
		const heightfield = this.#assets.loadHeightfield(name);
		return heightfield && { type: 'hfield', size: Float64Array.of(1, 1, 1), pose, heightfield };
	}

	/** Three sizes [m]; one number stands for all, missing ones are 0 for planes and reported elsewhere. */
	#size(attributes: Attributes, type: GeomType): Float64Array | undefined {
		const { scale } = this.#context.options;
		const needed = attributes.has('fromto') ? 1 : (SIZES[type] ?? 3);
		const numbers = attributes.numbers('size', { least: 1, most: 3 });
		if (attributes.has('size') && numbers === undefined) return undefined;
		if (numbers === undefined) {
			if (type !== 'plane')
				attributes.fault('MJCF006', 'size', 'there is none, expected one; the size is 1 m', 'warning');
			return Float64Array.of(scale, scale, scale);
		}
		if (numbers.some((value) => value < 0)) {
			attributes.fault('MJCF006', 'size', 'expected no negative number');
			return undefined;
		}
		if (numbers.length === 1 && needed > 1) {
			attributes.fault('MJCF006', 'size', `expected ${needed} numbers; the one counts for all`, 'warning');
		} else if (numbers.length < needed) {
			attributes.fault('MJCF006', 'size', `expected ${needed} numbers`);
			return undefined;
		}
		const filled = numbers.length === 1 ? [numbers[0]!, numbers[0]!, numbers[0]!] : [...numbers, 0, 0].slice(0, 3);
		return Float64Array.from(filled, (value) => value * scale);
	}

	#segmentForm(
		attributes: Attributes,
		type: GeomType,
		size: Float64Array,
		frame: Float64Array | undefined,
	): GeomForm | undefined {
		const numbers = attributes.numbers('fromto', { least: 6, most: 6 });
		if (numbers === undefined) return undefined;
		const { scale } = this.#context.options;
		const points = numbers.map((value) => value * scale);
		// Newton moves the points into the body before it takes the direction, which gives another twist about it
		const isMoved = this.#context.options.newtonCompat && frame !== undefined;
		const segment = segmentFrame(isMoved ? framedSegment(points, frame) : points);
		const pose = Float64Array.of(
			...(segment?.position ?? middle(numbers, scale)),
			...(segment?.rotation ?? [0, 0, 0, 1]),
		);
		if (segment === undefined) attributes.fault('MJCF015', 'fromto', 'expected two different points', 'warning');
		const half = segment?.halfLength ?? 0;
		attributes.convert('fromto', { from: 'end points', to: 'pose and half length' });
		const radius = size[0]!;
		const sizes = type === 'box' || type === 'ellipsoid' ? [radius, radius, half] : [radius, half, 0];
		if (this.#context.options.newtonCompat && (type === 'box' || type === 'ellipsoid')) {
			// Newton reads segments of capsules and cylinders only
			return { type, size, pose: framed(attributes.pose(), frame) };
		}
		const isPlaced = isMoved && segment !== undefined;
		return {
			type: type as GeomForm['type'],
			size: Float64Array.from(sizes),
			pose: isPlaced ? pose : framed(pose, frame),
		};
	}

	#addShapes(
		attributes: Attributes,
		form: GeomForm,
		placement: GeomPlacement,
		{ label, isVisual, isVisible }: { readonly label: string; readonly isVisual: boolean; readonly isVisible: boolean },
	): number[] {
		const { builder } = this.#context;
		const config = this.#config(attributes, label, isVisual, isVisible);
		const custom = this.#customAttributes(attributes);
		const options: ShapeOptions = {
			xform: form.pose,
			config,
			label,
			...this.#look(attributes),
			attributes: Object.fromEntries(custom),
		};
		const { body } = placement;
		const [x, y, z] = [form.size[0]!, form.size[1]!, form.size[2]!];
		switch (form.type) {
			case 'sphere':
				return [builder.addShapeSphere(body, { ...options, radius: x })];
			case 'box':
				return [builder.addShapeBox(body, { ...options, halfExtents: [x, y, z] })];
			case 'capsule':
				return [builder.addShapeCapsule(body, { ...options, radius: x, halfHeight: y })];
			case 'cylinder':
				return [builder.addShapeCylinder(body, { ...options, radius: x, halfHeight: y })];
			case 'ellipsoid':
				return [builder.addShapeEllipsoid(body, { ...options, radii: [x, y, z] })];
			case 'plane':
				return [builder.addShapePlane({ ...options, body, width: 0, length: 0 })];
			case 'hfield':
				return [builder.addShapeHeightfield({ ...options, heightfield: form.heightfield! })];
			default:
				return form.meshes!.map((mesh) => addMeshShape(builder, body, { ...options, mesh }, this.#context.options));
		}
	}

	#config(attributes: Attributes, label: string, isVisual: boolean, isVisible: boolean): Partial<ShapeConfig> {
		const { scale, legacyMarginGap } = this.#context.options;
		const friction = attributes.numbers('friction', { least: 1, most: 3 });
		const gap = attributes.has('gap') ? attributes.number('gap', 0) * scale : undefined;
		let margin = attributes.has('margin') ? attributes.number('margin', 0) * scale : undefined;
		if (margin !== undefined && legacyMarginGap) {
			margin -= gap ?? 0;
			if (margin < 0) {
				const message = `margin of geom ${quote(label)} less its gap is ${margin} m, expected 0 or more`;
				this.#context.report.add(createDiagnostic('MJCF019', message, attributes.element.location));
			}
		}
		const gains = contactGains(attributes, 'solref');
		const neverCollides = !isVisual && this.#masks(attributes).every((mask) => mask === 0);
		return {
			// masses of geoms are summed up here, as MuJoCo does
			density: 0,
			isVisible,
			hasShapeCollision: !isVisual,
			hasParticleCollision: !isVisual,
			...(neverCollides ? { collisionGroup: 0 } : {}),
			...(friction?.[0] === undefined ? {} : { mu: friction[0] }),
			...(friction?.[1] === undefined ? {} : { muTorsional: friction[1] }),
			...(friction?.[2] === undefined ? {} : { muRolling: friction[2] }),
			...(gains === undefined ? {} : { ke: gains.ke, kd: gains.kd }),
			...(margin === undefined ? {} : { margin }),
			...(gap === undefined ? {} : { gap }),
		};
	}

	#customAttributes(attributes: Attributes): Map<string, AttributeValue> {
		const custom = readCustomAttributes(this.#context, attributes, 'shape');
		const [contype, conaffinity] = this.#masks(attributes);
		custom.set('mujoco:contype', contype >>> 0);
		custom.set('mujoco:conaffinity', conaffinity >>> 0);
		custom.set('mujoco:collision_mask_domain', this.#maskDomain);
		// 1: authored parameters as they are, 2: MuJoCo's defaults
		custom.set('mujoco:solref_mode', attributes.has('solref') ? 1 : 2);
		return custom;
	}

	#look(attributes: Attributes): Pick<ShapeOptions, 'color' | 'opacity'> {
		const rgba = attributes.numbers('rgba', { least: 3, most: 4 }) ?? this.#materialOf(attributes)?.rgba;
		if (rgba === undefined) return {};
		const alpha = rgba[3];
		const opacity = alpha === undefined ? undefined : Math.min(1, Math.max(0, alpha));
		if (alpha !== opacity) {
			const message = `opacity of ${attributes.subject} is ${alpha}, expected 0 to 1; ${opacity} is taken`;
			this.#context.report.add(createDiagnostic('MJCF019', message, attributes.element.location));
		}
		return { color: rgba.slice(0, 3), ...(opacity === undefined ? {} : { opacity }) };
	}
}

const SHAPE_SOURCES: readonly (readonly [array: string, attribute: string])[] = [
	['shape_scale', 'size'],
	['shape_margin', 'margin'],
	['shape_gap', 'gap'],
	['shape_material_mu', 'friction'],
	['shape_material_ke', 'solref'],
	['shape_color', 'rgba'],
];

const FITTED: readonly string[] = ['sphere', 'capsule', 'cylinder', 'ellipsoid', 'box'];
/** Primitives that can be fitted to a mesh. */
export type Fitted = 'sphere' | 'capsule' | 'cylinder' | 'ellipsoid' | 'box';

/** Numbers that a size needs. */
const SIZES: Readonly<Record<string, number>> = { sphere: 1, capsule: 2, cylinder: 2, ellipsoid: 3, box: 3, plane: 0 };

function framed(pose: Float64Array, frame: Float64Array | undefined): Float64Array {
	return frame === undefined ? pose : composed(frame, pose);
}

function middle(numbers: Float64Array, scale: number): number[] {
	return [0, 1, 2].map((i) => ((numbers[i]! + numbers[i + 3]!) / 2) * scale);
}
