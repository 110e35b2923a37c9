import type { Report } from '@manyworlds/core';
import type { SdfGeometry, SdfLink, SdfMaterial, SdfShape, SdfSurface } from '@manyworlds/formats';
import { combineMasses, type MassProperties, placeMass, primitiveMass, scaleMass, solidMass } from '@manyworlds/mesh';
import { createDiagnostic } from '../diagnostics.ts';
import { toLinear } from '../model/colour.ts';
import type {
	BodyInertia,
	ContactMaterial,
	ConversionGeometry,
	ConversionMaterial,
	ConversionMesh,
	ConversionShape,
	ShapeRole,
} from '../model/conversion-model.ts';
import { compose } from '../model/pose.ts';
import { rotateTensor } from '../model/tensor.ts';
import { extrude } from './extrude.ts';
import type { MeshFiles } from './mesh-files.ts';
import { quatBetweenDirections } from './quat-between.ts';
import type { SensorPlace } from './sdf-sensors.ts';

/** Density [kg/m³] of what says nothing, as in SDF. */
const WATER = 1000;

/** A collider and what its volume weighs. */
export interface SdfCollider {
	readonly index: number;
	readonly source: SdfShape;
}

/** Visuals and collisions of the links of one file. */
export class SdfShapes {
	readonly shapes: ConversionShape[] = [];
	readonly materials: ConversionMaterial[] = [];
	readonly #meshes: MeshFiles;
	readonly #report: Report;
	readonly #materialOf = new Map<string, number>();

	constructor(meshes: MeshFiles, report: Report) {
		this.#meshes = meshes;
		this.#report = report;
	}

	get meshes(): readonly ConversionMesh[] {
		return this.#meshes.meshes;
	}

	/** Enters the shapes of a link; gives its colliders. */
	add(link: SdfLink, body: number, inLink: SensorPlace): SdfCollider[] {
		for (const visual of link.visuals) this.#shape(visual, 'visual', body, inLink);
		return link.collisions.flatMap((source) => {
			const index = this.#shape(source, 'collision', body, inLink);
			return index === undefined ? [] : [{ index, source }];
		});
	}

	/** Index of the collider of this name. */
	named(colliders: readonly SdfCollider[], name: string | undefined): number | undefined {
		return colliders.find(({ source }) => source.name === name)?.index;
	}

	/** Mass of a link: as written, 1 kg without a word, or from the volumes of its colliders. */
	inertiaOf(link: SdfLink, colliders: readonly SdfCollider[]): BodyInertia | undefined {
		const { inertial } = link;
		if (inertial === undefined) return { mass: 1, center: [0, 0, 0], tensor: [1, 1, 1, 0, 0, 0] };
		if (inertial.isAuto) return this.#volumeMass(colliders, inertial.density ?? WATER);
		const { mass, pose, inertia } = inertial;
		if (mass === 0) return undefined;
		const [x, y, z] = pose.values;
		return { mass, center: [x!, y!, z!], tensor: rotateTensor(inertia, pose.values) };
	}

	#volumeMass(colliders: readonly SdfCollider[], density: number): BodyInertia | undefined {
		const parts = colliders.map(({ index, source }) => {
			const { geometry, pose } = this.shapes[index]!;
			const own = this.#solid(geometry, source.density ?? density);
			return placeMass(own, pose.subarray(0, 3), pose.subarray(3));
		});
		const { mass, com, inertia: I } = combineMasses(parts);
		if (!(mass > 0)) return undefined;
		return {
			mass,
			center: [com[0]!, com[1]!, com[2]!],
			tensor: [I[0]!, I[4]!, I[8]!, I[1]!, I[2]!, I[5]!],
		};
	}

	#solid(geometry: ConversionGeometry, density: number): MassProperties {
		switch (geometry.kind) {
			case 'box': {
				const [x, y, z] = geometry.size;
				return primitiveMass({ type: 'box', halfExtents: [x / 2, y / 2, z / 2] }, { density });
			}
			case 'sphere':
				return primitiveMass({ type: 'sphere', radius: geometry.radius }, { density });
			case 'ellipsoid':
				return primitiveMass({ type: 'ellipsoid', radii: geometry.radii }, { density });
			case 'plane':
				return primitiveMass({ type: 'plane' }, { density });
			case 'mesh':
				return scaleMass(solidMass(this.meshes[geometry.mesh]!.mesh, { density }), ...geometry.scale);
			default: {
				const { kind: type, radius, length } = geometry;
				return primitiveMass({ type, radius, halfHeight: length / 2 }, { density });
			}
		}
	}

	#shape(source: SdfShape, role: ShapeRole, body: number, inLink: SensorPlace): number | undefined {
		const geometry = this.#geometry(source.geometry);
		if (geometry === undefined) return undefined;
		const place = inLink(source.pose, source.element);
		const { surface } = source;
		const contact = role === 'collision' ? contactOf(surface) : undefined;
		const material = role === 'visual' ? this.#material(source) : undefined;
		const mask = surface?.collideBitmask;
		const approximation =
			source.geometry.type === 'mesh' ? (APPROXIMATIONS[source.geometry.optimization ?? ''] ?? 'none') : undefined;
		this.shapes.push({
			name: source.name,
			role,
			body,
			pose: source.geometry.type === 'plane' ? compose(place, uprightTurn(source.geometry.normal)) : place,
			geometry,
			...(material === undefined ? {} : { material }),
			...(contact === undefined ? {} : { contact }),
			...(role === 'collision' && approximation !== undefined ? { approximation } : {}),
			...(role === 'collision' && mask !== undefined ? { masks: [mask, mask] as const } : {}),
			from: source.element.location,
		});
		return this.shapes.length - 1;
	}

	#geometry(geometry: SdfGeometry): ConversionGeometry | undefined {
		switch (geometry.type) {
			case 'box':
				return { kind: 'box', size: geometry.size };
			case 'sphere':
				return { kind: 'sphere', radius: geometry.radius };
			case 'ellipsoid':
				return { kind: 'ellipsoid', radii: geometry.radii };
			case 'plane':
				return { kind: 'plane', size: geometry.size };
			case 'mesh': {
				const mesh = this.#meshes.load(geometry.uri, geometry.element.location, geometry.submesh);
				return mesh === undefined ? undefined : { kind: 'mesh', mesh, scale: geometry.scale };
			}
			case 'polyline': {
				const mesh = extrude(geometry.outlines[0] ?? [], geometry.height);
				if (mesh === undefined) {
					const message = 'the outline has fewer than three points or no area; the shape is left out';
					this.#report.add(createDiagnostic('CNV002', message, geometry.element.location));
					return undefined;
				}
				return { kind: 'mesh', mesh: this.#meshes.add('polyline', mesh), scale: [1, 1, 1] };
			}
			default:
				return { kind: geometry.type, radius: geometry.radius, length: geometry.length };
		}
	}

	/** Index of the look of a visual; those that look the same share one. */
	#material({ material, transparency }: SdfShape): number | undefined {
		if (material === undefined) return undefined;
		const { diffuse, metalness, roughness } = material;
		const texture = this.#image(material);
		if (diffuse === undefined && texture === undefined && metalness === undefined) return undefined;
		const [r, g, b, a] = diffuse ?? [1, 1, 1, 1];
		const look = {
			color: [toLinear(r), toLinear(g), toLinear(b)] as const,
			opacity: a * (1 - transparency),
			metallic: metalness ?? 0,
			roughness: roughness ?? 0.5,
			...(texture === undefined ? {} : { texture }),
		};
		const key = JSON.stringify(look);
		const known = this.#materialOf.get(key);
		if (known !== undefined) return known;
		const index = this.materials.length;
		this.materials.push({ name: `material_${index}`, ...look, from: material.element.location });
		this.#materialOf.set(key, index);
		return index;
	}

	#image({ albedoMap, albedoElement }: SdfMaterial): string | undefined {
		if (albedoMap === undefined || albedoElement === undefined) return undefined;
		return this.#meshes.find(albedoMap, albedoElement.location);
	}
}

/** What stands for a mesh that collides, by the words of SDF 1.11. */
const APPROXIMATIONS: Readonly<Record<string, NonNullable<ConversionShape['approximation']>>> = {
	convex_hull: 'convexHull',
	convex_decomposition: 'convexDecomposition',
};

function contactOf(surface: SdfSurface | undefined): ContactMaterial | undefined {
	if (surface === undefined) return undefined;
	const { mu, mu2, torsional, restitution } = surface;
	if (mu === undefined && mu2 === undefined && torsional === undefined && restitution === undefined) return undefined;
	const friction = Math.min(mu ?? mu2 ?? 1, 1e6);
	return {
		staticFriction: friction,
		dynamicFriction: friction,
		restitution: restitution ?? 0,
		...(torsional === undefined ? {} : { torsionalFriction: torsional }),
	};
}

/** A turn that takes z to a direction. */
function uprightTurn(normal: readonly number[]): Float64Array {
	return Float64Array.of(0, 0, 0, ...quatBetweenDirections([0, 0, 1], normal));
}
