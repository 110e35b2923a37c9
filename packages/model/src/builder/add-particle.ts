import { mat3Invert } from '@manyworlds/core/internal';
import { ParticleFlags } from '../enums.ts';
import { toNumbers } from '../geometry-inputs.ts';
import { ModelError } from '../model-error.ts';
import type { BuilderCore } from './builder-core.ts';
import type {
	EdgeOptions,
	ParticleOptions,
	SpringOptions,
	TetrahedronOptions,
	TriangleOptions,
} from './builder-options.ts';

const DEFAULT_RADIUS = 0.1;
const SPRING = { ke: 100, kd: 0 };
const TRIANGLE = { ke: 100, ka: 100, kd: 10, drag: 0, lift: 0 };
const EDGE = { ke: 100, kd: 0 };
const TETRAHEDRON = { kMu: 1e3, kLambda: 1e3, kDamp: 0 };

/** Adds a particle to the open world. */
export function addParticle(core: BuilderCore, options: ParticleOptions): number {
	const { tables, attributes, currentWorld } = core;
	const position = toNumbers(options.position, 3, 'position', 'a point');
	const velocity = toNumbers(options.velocity ?? [0, 0, 0], 3, 'velocity', 'a velocity');
	if (!(options.mass >= 0 && options.mass < Number.POSITIVE_INFINITY)) {
		throw new ModelError('MODEL002', `mass of the particle is ${options.mass} kg, expected a finite number >= 0`, {
			kind: 'particle',
		});
	}
	attributes.check('particle', options.attributes);
	const particle = tables.addRows('particle');
	tables.set('particleQ', particle, ...position);
	tables.set('particleQd', particle, ...velocity);
	tables.set('particleMass', particle, options.mass);
	tables.set('particleRadius', particle, options.radius ?? DEFAULT_RADIUS);
	tables.set('particleFlags', particle, options.flags ?? ParticleFlags.ACTIVE);
	tables.set('particleWorld', particle, currentWorld);
	attributes.assign('particle', particle, options.attributes);
	return particle;
}

/** A spring whose rest length is the present distance of its particles. */
export function addSpring(core: BuilderCore, i: number, j: number, options: SpringOptions): number {
	const { tables } = core;
	checkParticles(core, [i, j]);
	core.attributes.check('spring', options.attributes);
	const spring = tables.addRows('spring');
	tables.set('springIndices', spring, i, j);
	tables.set('springRestLength', spring, Math.hypot(...between(core, i, j)));
	tables.set('springStiffness', spring, options.ke ?? SPRING.ke);
	tables.set('springDamping', spring, options.kd ?? SPRING.kd);
	tables.set('springControl', spring, options.control ?? 0);
	core.attributes.assign('spring', spring, options.attributes);
	return spring;
}

/** A triangle at rest in its present shape. Throws when its particles are in line. */
export function addTriangle(
	core: BuilderCore,
	particles: readonly [number, number, number],
	options: TriangleOptions,
): number {
	const { tables } = core;
	checkParticles(core, particles);
	core.attributes.check('triangle', options.attributes);
	const [i, j, k] = particles;
	const p = between(core, i, j);
	const q = between(core, i, k);
	const normal = cross(p, q);
	const twice = Math.hypot(...normal);
	const length = Math.hypot(...p);
	if (!(twice > 0))
		throw new ModelError('MODEL008', `triangle of particles ${particles.join(', ')} has no area`, { kind: 'triangle' });
	// edges in the plane of the triangle: (l, 0) and (x, y); rows of the inverse of that matrix with edges as columns
	const x = dot(p, q) / length;
	const y = twice / length;
	const row = tables.addRows('triangle');
	tables.set('triIndices', row, i, j, k);
	tables.set('triPoses', row, 1 / length, -x / (length * y), 0, 1 / y);
	tables.set('triActivations', row, options.activation ?? 0);
	const material = { ...TRIANGLE, ...options };
	tables.set('triMaterials', row, material.ke, material.ka, material.kd, material.drag, material.lift);
	tables.set('triAreas', row, twice / 2);
	core.attributes.assign('triangle', row, options.attributes);
	return row;
}

/** A bending edge between particles k and l with the opposite particles i and j (-1 for none), at rest as it is. */
export function addEdge(
	core: BuilderCore,
	particles: readonly [number, number, number, number],
	options: EdgeOptions,
): number {
	const { tables } = core;
	const [i, j, k, l] = particles;
	checkParticles(core, [k, l]);
	checkParticles(
		core,
		[i, j].filter((particle) => particle !== -1),
	);
	core.attributes.check('edge', options.attributes);
	const row = tables.addRows('edge');
	tables.set('edgeIndices', row, i, j, k, l);
	tables.set('edgeRestAngle', row, options.restAngle ?? (i < 0 || j < 0 ? 0 : dihedralAngle(core, i, j, k, l)));
	tables.set('edgeRestLength', row, Math.hypot(...between(core, k, l)));
	tables.set('edgeBendingProperties', row, options.ke ?? EDGE.ke, options.kd ?? EDGE.kd);
	core.attributes.assign('edge', row, options.attributes);
	return row;
}

/** A tetrahedron at rest in its present shape. Throws when it is flat or inside out. */
export function addTetrahedron(
	core: BuilderCore,
	particles: readonly [number, number, number, number],
	options: TetrahedronOptions,
): number {
	const { tables } = core;
	checkParticles(core, particles);
	core.attributes.check('tetrahedron', options.attributes);
	const [i, j, k, l] = particles;
	const [a, b, c] = [between(core, i, j), between(core, i, k), between(core, i, l)];
	const edges = Float64Array.of(a[0]!, b[0]!, c[0]!, a[1]!, b[1]!, c[1]!, a[2]!, b[2]!, c[2]!);
	const pose = new Float64Array(9);
	const volume = mat3Invert(pose, edges) / 6;
	if (!(volume > 0)) {
		throw new ModelError(
			'MODEL008',
			`tetrahedron of particles ${particles.join(', ')} has the volume ${volume} m³, expected more than 0`,
			{
				kind: 'tetrahedron',
			},
		);
	}
	const row = tables.addRows('tetrahedron');
	tables.set('tetIndices', row, i, j, k, l);
	tables.set('tetPoses', row, ...pose);
	tables.set('tetActivations', row, options.activation ?? 0);
	tables.set(
		'tetMaterials',
		row,
		options.kMu ?? TETRAHEDRON.kMu,
		options.kLambda ?? TETRAHEDRON.kLambda,
		options.kDamp ?? TETRAHEDRON.kDamp,
	);
	core.attributes.assign('tetrahedron', row, options.attributes);
	return row;
}

function checkParticles(core: BuilderCore, particles: readonly number[]): void {
	const count = core.tables.counts.particle;
	for (const particle of particles) {
		if (Number.isInteger(particle) && particle >= 0 && particle < count) continue;
		throw new ModelError('MODEL004', `particle ${particle} does not exist, expected 0 to ${count - 1}`, {
			kind: 'particle',
			index: particle,
		});
	}
}

function between(core: BuilderCore, i: number, j: number): number[] {
	const q = core.tables.column('particleQ');
	return [0, 1, 2].map((axis) => q[3 * j + axis]! - q[3 * i + axis]!);
}

/** Angle between the normals of triangles (i, k, l) and (j, l, k), positive when the fold points along the edge. */
function dihedralAngle(core: BuilderCore, i: number, j: number, k: number, l: number): number {
	const edge = between(core, k, l);
	const first = cross(between(core, i, k), between(core, i, l));
	const second = cross(between(core, j, l), between(core, j, k));
	const sine = dot(cross(first, second), edge) / Math.hypot(...edge);
	return Math.atan2(sine, dot(first, second));
}

function dot(a: readonly number[], b: readonly number[]): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function cross(a: readonly number[], b: readonly number[]): number[] {
	return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}
