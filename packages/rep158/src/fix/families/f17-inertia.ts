import { principalInertia } from '@manyworlds/core/internal';
import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { authoredNumbers, hasSchema, isBody } from '../../asset/read-values.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applySchema, propertySite, removeProperty, schemaSite, setAttribute } from '../engine/sites.ts';

/** F17: inertia as principal moments and axes (REP 1.3), out of arrays of six numbers. */
export const INERTIA: Fixer = {
	family: 'F17',
	title: 'inertia as principal moments and axes',
	rules: ['R1.3.16', 'R1.3.17'],
	safety: 'safe',
	apply(session) {
		session.forEachSelection((stage) => {
			const bodies = [...stage.traverse()].filter((prim) => isBody(prim) || hasSchema(prim, 'PhysicsMassAPI'));
			for (const { path } of bodies) {
				decompose(session, session.stage.prim(path)!);
				refuseOthers(session, session.stage.prim(path)!);
				normalizeAxes(session, session.stage.prim(path)!);
			}
		});
	},
};

/** Turns `newton:inertia`, six numbers in body axes that win over the diagonal, into what UsdPhysics has. */
function decompose(session: FixSession, prim: Prim): void {
	const name = 'newton:inertia';
	const site = propertySite(session, prim, name);
	const six = authoredNumbers(prim, name);
	if (site === undefined || six === undefined) return;
	if (six.length !== 6 || !six.every(Number.isFinite)) {
		session.refuse('R1.3.17', `${name} has ${six.length} numbers, expected six that are finite`, { prim });
		return;
	}
	// without its schema nobody reads it
	if (hasSchema(prim, 'NewtonMassAPI')) {
		const [xx, yy, zz, xy, xz, yz] = six as unknown as [number, number, number, number, number, number];
		const { moments, axes } = principalInertia(Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz));
		warnAboutMoments(session, prim, moments);
		const at = propertySite(session, prim, 'physics:mass') ?? schemaSite(session, prim, 'PhysicsMass') ?? site;
		applySchema(session, 'R1.3.17', prim, 'PhysicsMassAPI', at);
		const diagonal = makeValue(T.float3, Float32Array.from(moments)) as Value;
		setAttribute(session, 'R1.3.17', session.stage.prim(prim.path)!, 'physics:diagonalInertia', diagonal, {
			typeName: 'float3',
			site: at,
		});
		const rotation = makeValue(T.quatf, Float32Array.from(axes)) as Value;
		setAttribute(session, 'R1.3.17', session.stage.prim(prim.path)!, 'physics:principalAxes', rotation, {
			typeName: 'quatf',
			site: at,
		});
	}
	removeProperty(session, 'R1.3.17', session.stage.prim(prim.path)!, name);
}

/** Six numbers of other origin: nobody knows their order. */
function refuseOthers(session: FixSession, prim: Prim): void {
	for (const name of prim.authoredPropertyNames()) {
		if (name === 'newton:inertia' || name === 'physics:diagonalInertia' || !/inertia/i.test(name)) continue;
		if (authoredNumbers(prim, name)?.length !== 6) continue;
		session.refuse('R1.3.17', `${name} has six numbers whose order is not known; remove it if the others are right`, {
			prim,
		});
	}
}

/** Principal axes of another length than one mean different things to different readers. */
function normalizeAxes(session: FixSession, prim: Prim): void {
	const axes = authoredNumbers(prim, 'physics:principalAxes');
	const moments = authoredNumbers(prim, 'physics:diagonalInertia');
	if (moments === undefined || moments.every((x) => x === 0)) return;
	warnAboutMoments(session, prim, moments);
	if (axes === undefined) return;
	const length = Math.hypot(...axes);
	if (Math.abs(length - 1) <= 1e-5 || !Number.isFinite(length)) return;
	const unit = length === 0 ? [0, 0, 0, 1] : Array.from(axes, (x) => x / length);
	const value = makeValue(T.quatf, Float32Array.from(unit)) as Value;
	setAttribute(session, 'R1.3.16', prim, 'physics:principalAxes', value, { typeName: 'quatf' });
}

/** No body has moments of which one is larger than the other two together. */
function warnAboutMoments(session: FixSession, prim: Prim, moments: Float64Array): void {
	const [a, b, c] = Float64Array.from(moments).sort() as unknown as [number, number, number];
	const shown = Array.from(moments, (x) => Number(x.toPrecision(6))).join(', ');
	if (a <= 0) session.refuse('R1.3.16', `moments (${shown}) are not all positive`, { prim });
	else if (a + b < c * (1 - 1e-6)) {
		session.refuse('R1.3.16', `moments (${shown}) belong to no body: the largest exceeds the sum of the others`, {
			prim,
		});
	}
}
