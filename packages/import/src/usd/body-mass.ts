import { eigenSymmetric3 } from '@manyworlds/core/internal';
import { combineMasses, type MassProperties, primitiveMass } from '@manyworlds/mesh';
import { inertiaAbout } from '@manyworlds/mesh/internal';
import type { PhysicsRigidBody, Prim } from '@manyworlds/usd';
import type { Provenance } from '../ledger.ts';
import { rowOf } from '../row-of.ts';
import type { ImportContext } from './context.ts';
import { hasApi } from './joint-values.ts';
import { colliderMass, type MassRecorder, type RecordedCollider } from './mass-recorder.ts';
import { inertiaTensor, type StatedMass, statedMass } from './mass-values.ts';
import { asNumbers, attributeValue, authoredValue, showValue } from './plain-value.ts';

/** Standard density where nothing says any [kg/m³]. */
const STANDARD_DENSITY = 1000;

/**
 * Settles mass, centre of mass and inertia of bodies with MassAPI, or with colliders that have it, each by itself: what the
 * body states; for inertia under a stated mass, what shapes added up to, scaled to it; else what colliders give.
 */
export function settleBodyMasses(ctx: ImportContext, recorder: MassRecorder): void {
	for (const body of ctx.physics.bodies) {
		const path = body.primPath.toString();
		const index = ctx.bodies.get(path);
		const prim = ctx.stage.prim(body.primPath)!;
		if (index === undefined) continue;
		const stated = statedMass(ctx, prim);
		if (!stated.hasApi && !recorder.bodies.has(path)) continue;
		settleOne(ctx, recorder, body, prim, index, stated);
	}
}

function settleOne(
	ctx: ImportContext,
	recorder: MassRecorder,
	body: PhysicsRigidBody,
	prim: Prim,
	index: number,
	stated: StatedMass,
): void {
	const { builder } = ctx;
	const path = body.primPath.toString();
	const accumulated = readMass(ctx, index);
	const tensor =
		newtonInertia(ctx, prim) ?? (stated.diagonalInertia && inertiaTensor(stated.diagonalInertia, stated.principalAxes));
	const isWhole = stated.mass !== undefined && tensor !== undefined && stated.centerOfMass !== undefined;
	const computed = isWhole ? accumulated : computedMass(ctx, recorder.collidersOf(path), prim, stated, accumulated);
	const { scale } = ctx.factored(prim);
	const com = stated.centerOfMass?.map((part, i) => part * scale[i]!) ?? computed.com;
	const mass = stated.mass ?? computed.mass;
	let inertia: ArrayLike<number>;
	if (tensor !== undefined) {
		inertia = tensor;
	} else if (stated.mass === undefined) {
		inertia = stated.centerOfMass === undefined ? computed.inertia : inertiaAbout(computed, com);
	} else {
		inertia =
			accumulated.mass > 0 ? accumulated.inertia.map((part) => (part * mass) / accumulated.mass) : accumulated.inertia;
		if (stated.density !== undefined) {
			ctx.tell(
				'IMP042',
				prim,
				'physics:mass and physics:density are both given without physics:diagonalInertia; the density does not count',
				'physics:density',
			);
		}
	}
	if (!isSomething(inertia)) {
		if (mass > 0) inertia = sphereInertia(ctx, mass, com);
		else if (stated.hasApi)
			ctx.tell(
				'IMP044',
				prim,
				'the body has neither mass nor inertia although MassAPI is applied; it cannot be moved by forces',
			);
	}
	builder.column('bodyMass')[index] = mass;
	builder.column('bodyCom').set(Float64Array.from(com), 3 * index);
	builder.column('bodyInertia').set(Float64Array.from(inertia), 9 * index);
	explain(ctx, path, index, stated, tensor !== undefined);
}

/** What colliders add up to; what shapes did when there is none. */
function computedMass(
	ctx: ImportContext,
	colliders: readonly RecordedCollider[],
	prim: Prim,
	stated: StatedMass,
	accumulated: MassProperties,
): MassProperties {
	if (colliders.length === 0) return accumulated;
	const bodyDensity = stated.mass === undefined ? stated.density : undefined;
	const isComputer = ctx.options.newtonCompat && usesMassComputer(colliders, prim);
	return combineMasses(
		colliders.map((collider) => {
			const fallback = isComputer ? computerDensity(ctx, collider) : undefined;
			return colliderMass(ctx, collider, bodyDensity, fallback, isComputer);
		}),
	);
}

/** Whether Newton would ask OpenUSD: not for colliders below instances, blocked values or infinite masses. */
function usesMassComputer(colliders: readonly RecordedCollider[], body: Prim): boolean {
	const names = ['physics:mass', 'physics:diagonalInertia', 'physics:principalAxes', 'physics:centerOfMass'];
	const isBlocked = (prim: Prim): boolean =>
		prim.hasSchema('PhysicsMassAPI') && names.some((name) => prim.attribute(name).resolveInfo('default').isBlocked);
	const isInfinite = (prim: Prim): boolean => {
		const mass = attributeValue(prim, 'physics:mass');
		const density = attributeValue(prim, 'physics:density');
		return mass === Number.POSITIVE_INFINITY || density === Number.POSITIVE_INFINITY || Number.isNaN(density);
	};
	return [body, ...colliders.map(({ prim }) => prim)].every(
		(prim) => (prim === body || !prim.isInstanceProxy) && !isBlocked(prim) && !isInfinite(prim),
	);
}

/** The density that OpenUSD takes: of the material, else 1000 kg/m³ in units of the stage, whose metre is 0.01 unless it says. */
function computerDensity(ctx: ImportContext, { shape }: RecordedCollider): number {
	const material = ctx.physics.materials.find(({ primPath }) => primPath === shape.materials[0]);
	if (material !== undefined && material.density > 0) return material.density;
	const { stage } = ctx;
	const metres = stage.metadata('metersPerUnit')?.data;
	const kilograms = stage.metadata('kilogramsPerUnit')?.data;
	const unit = typeof metres === 'number' ? metres : 0.01;
	return (STANDARD_DENSITY * unit ** 3) / (typeof kilograms === 'number' ? kilograms : 1);
}

/** The tensor in `newton:inertia`: xx, yy, zz, xy, xz, yz. Undefined when it is missing or cannot be one. */
function newtonInertia(ctx: ImportContext, prim: Prim): Float64Array | undefined {
	const authored = hasApi(prim, 'NewtonMassAPI') ? authoredValue(prim, 'newton:inertia') : undefined;
	if (authored === undefined) return undefined;
	const refuse = (what: string): undefined => {
		ctx.tell('IMP043', prim, `newton:inertia is ${showValue(authored)}, ${what}; it does not count`, 'newton:inertia');
		return undefined;
	};
	const parts = asNumbers(authored, 6);
	if (parts === undefined) return refuse('expected six numbers: xx, yy, zz, xy, xz, yz');
	if (!parts.every(Number.isFinite)) return refuse('expected finite numbers');
	const [xx, yy, zz, xy, xz, yz] = parts as [number, number, number, number, number, number];
	if (xx < 0 || yy < 0 || zz < 0) return refuse('expected moments of 0 or more');
	const tensor = Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
	const values = new Float64Array(3);
	eigenSymmetric3(values, new Float64Array(9), tensor);
	return values.some((value) => value < 0) ? refuse('expected a positive semidefinite tensor') : tensor;
}

/** A body that nothing tells the shape of counts as a ball of the default density about its centre of mass. */
function sphereInertia(ctx: ImportContext, mass: number, com: ArrayLike<number>): Float64Array {
	const density = ctx.units.shapeConfig(ctx.builder.defaultShapeConfig).density;
	const radius = Math.cbrt((3 * mass) / (4 * Math.PI * density));
	const { inertia } = primitiveMass({ type: 'sphere', radius }, { density });
	if (!ctx.has('ball-offset')) return inertia;
	const square = com[0]! ** 2 + com[1]! ** 2 + com[2]! ** 2;
	return inertia.map((part, i) => part + (i % 4 === 0 && square > 1e-12 ? mass * square : 0));
}

function readMass({ builder }: ImportContext, body: number): MassProperties {
	return {
		mass: builder.column('bodyMass')[body]!,
		com: rowOf(builder.column('bodyCom'), 3, body),
		inertia: rowOf(builder.column('bodyInertia'), 9, body),
	};
}

function isSomething(tensor: ArrayLike<number>): boolean {
	return Array.from(tensor).some((part) => part !== 0);
}

function explain(ctx: ImportContext, path: string, index: number, stated: StatedMass, hasInertia: boolean): void {
	const authored = (name: string, array: string, value: unknown): void => {
		ctx.ledger.use(path, name, { target: `${array}[${index}]` });
		ctx.give(array, index, {
			source: 'authored',
			path,
			name,
			value: String(value),
			why: `${name} of the body is given`,
		});
	};
	const computed = (array: string, why: string): void => {
		const provenance: Provenance = { source: 'computed', path, why };
		ctx.give(array, index, provenance);
	};
	if (stated.mass !== undefined) authored('physics:mass', 'body_mass', stated.mass);
	else computed('body_mass', 'the body states no mass, so those of its colliders are added up');
	if (stated.centerOfMass !== undefined) authored('physics:centerOfMass', 'body_com', stated.centerOfMass);
	else computed('body_com', 'the body states no centre of mass, so that of its colliders is taken');
	if (stated.diagonalInertia !== undefined) authored('physics:diagonalInertia', 'body_inertia', stated.diagonalInertia);
	else if (hasInertia) authored('newton:inertia', 'body_inertia', 'a tensor');
	else if (stated.mass !== undefined)
		computed('body_inertia', 'the inertia of the shapes is scaled to the stated mass');
	else computed('body_inertia', 'the body states no inertia, so that of its colliders is taken');
}
