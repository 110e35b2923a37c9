import { principalInertia } from '@manyworlds/core/internal';
import { type Path, T } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { BodyInertia, ConversionModel } from '../model/conversion-model.ts';
import { tellInventedMass } from '../model/tell-invented-mass.ts';
import { physicalTensor } from '../model/tensor.ts';
import type { LayerBuilder } from './layer-builder.ts';
import type { StageLayout } from './stage-layout.ts';

/** Inertia of bodies that say none: UsdPhysics would take zero as a wish to work it out from the shapes [kg m²]. */
const NO_INERTIA = 1e-14;

/** The same as a share of the largest moment. */
const LEAST_SHARE = 1e-6;

/** Writes bodies with their masses, roots of articulations and pairs that do not collide. */
export function writeBodies(
	physics: LayerBuilder,
	model: ConversionModel,
	layout: StageLayout,
	ledger: ConversionLedger,
): void {
	const roots = articulationRoots(model, layout);
	const pairs = filteredPairs(model, layout);
	for (const [body, { kind, inertia, isMassInvented }] of layout.roles.entries()) {
		if (kind !== 'body') continue;
		const { path } = layout.links[body]!;
		const others = pairs.get(body);
		physics.apply(path, [
			'PhysicsRigidBodyAPI',
			'PhysicsMassAPI',
			...(roots.has(body) ? ['PhysicsArticulationRootAPI'] : []),
			...(others === undefined ? [] : ['PhysicsFilteredPairsAPI']),
		]);
		const { name } = model.bodies[body]!;
		if (isMassInvented) {
			const message = `'${name}' moves without mass; it gets ${inertia!.mass} kg, as every body must have some (REP 1.3)`;
			tellInventedMass(ledger, model, body, message);
		}
		writeMass(physics, path, inertia!, (message) => {
			ledger.approximate('body', body, 'inertia-unphysical', `'${name}' ${message}`);
		});
		if (others !== undefined) {
			const targets = others.map((other) => layout.links[other]!.path);
			physics.relationship(path, 'physics:filteredPairs', targets);
		}
	}
}

function writeMass(physics: LayerBuilder, path: Path, inertia: BodyInertia, tell: (message: string) => void): void {
	const { mass, center, tensor } = inertia;
	const [xx, yy, zz, xy, xz, yz] = tensor;
	const { moments, axes } = principalInertia(Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz));
	const least = Math.max(NO_INERTIA, LEAST_SHARE * Math.max(...moments));
	if (moments.some((moment) => moment < least)) {
		tell(`has no inertia about some axis; ${least} kg m² stand for it, as zero would mean that of its shapes`);
	} else if (physicalTensor(tensor) !== undefined) tell('has an inertia that no solid has; it is kept');
	const centre = Float32Array.from(center, (value) => value + 0);
	physics.attribute(path, 'physics:centerOfMass', T.float3, centre, { typeName: 'point3f' });
	physics.attribute(
		path,
		'physics:diagonalInertia',
		T.float3,
		Float32Array.from(moments, (moment) => Math.max(least, moment)),
	);
	physics.attribute(path, 'physics:mass', T.float, Math.fround(mass));
	physics.attribute(path, 'physics:principalAxes', T.quatf, Float32Array.from(axes));
}

/** Bodies that joints hang on and that hang on none themselves, but the world. */
function articulationRoots({ joints }: ConversionModel, layout: StageLayout): ReadonlySet<number> {
	const isBody = (body: number): boolean => body >= 0 && layout.roles[layout.carrierOf(body)]!.kind === 'body';
	const held = new Set<number>();
	const jointed = new Set<number>(layout.anchors.keys());
	for (const { kind, parent, child } of joints) {
		if (kind === 'floating' || !isBody(child)) continue;
		const ends = [parent, child].map((body) => (isBody(body) ? layout.carrierOf(body) : -1)) as [number, number];
		if (ends[0] === ends[1]) continue;
		jointed.add(ends[1]);
		if (ends[0] < 0) continue;
		jointed.add(ends[0]);
		held.add(ends[1]);
	}
	return new Set([...jointed].filter((body) => !held.has(body)));
}

/**
 * Pairs that do not collide: those of the source, and those that joints connect, which engines leave out anyway. Saying so keeps
 * readers from guessing (REP 1.3.3).
 */
function filteredPairs({ filters, joints }: ConversionModel, layout: StageLayout): ReadonlyMap<number, number[]> {
	const pairs = new Map<number, number[]>();
	const seen = new Set<string>();
	const connected = joints.map(({ parent, child }) => [parent, child] as const);
	for (const [one, other] of [...filters, ...connected]) {
		if (one < 0 || other < 0) continue;
		const [a, b] = [layout.carrierOf(one), layout.carrierOf(other)];
		const key = a < b ? `${a} ${b}` : `${b} ${a}`;
		const areBodies = layout.roles[a]!.kind === 'body' && layout.roles[b]!.kind === 'body';
		if (a === b || !areBodies || seen.has(key)) continue;
		seen.add(key);
		const known = pairs.get(a);
		if (known === undefined) pairs.set(a, [b]);
		else known.push(b);
	}
	return pairs;
}
