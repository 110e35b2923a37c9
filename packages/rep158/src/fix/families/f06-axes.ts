import { quote } from '@manyworlds/core';
import { type Layer, makeValue, Path, T, type Value } from '@manyworlds/usd';
import { dataOf, localTransform } from '@manyworlds/usd/internal';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { multiply3, splitMatrix, stretchKind, transpose3 } from '../engine/linear.ts';
import { orderOf } from '../frames/xform-stack.ts';
import { standardizeTransforms } from './f02-transforms.ts';
import { basisOf, changeBasis } from './f06/basis-change.ts';

/** F6: Z up, by a change of axes of everything, never by turning the root; and a root that is turned gets straight. */
export const AXES: Fixer = {
	family: 'F6',
	title: 'Z up, as a change of all axes',
	rules: ['R1.1.5', 'R1.1.12'],
	safety: 'unsafe',
	apply(session) {
		straightenUpAxis(session);
		straightenRoot(session);
	},
};

function straightenUpAxis(session: FixSession): void {
	const { rootLayer } = session;
	const layers = session.layers();
	const authored = dataOf(rootLayer.field(Path.root, 'upAxis'), T.token);
	if (authored === 'Z') {
		sayUpAxis(session, layers);
		return;
	}
	if (!session.wants('R1.1.5')) return;
	const { forward } = session.parameters;
	// without a word about it x stays forward
	const basis = basisOf(forward ?? '+x', '+y');
	if (basis === undefined || (authored !== undefined && authored !== 'Y')) {
		const found = basis === undefined ? `forward ${forward} lies along the up axis` : `upAxis is ${quote(authored!)}`;
		session.refuse('R1.1.5', `${found}, expected a Y-up stage that faces x or z`, { layer: rootLayer });
		return;
	}
	session.turn = multiply3(transpose3(basisOf('+x', '+y')!), basis);
	if (hasSkeleton(session)) {
		session.refuse('R1.1.5', 'skeletons have poses in matrices of their own, which are not turned', {
			layer: rootLayer,
		});
		return;
	}
	standardizeTransforms(session, 'axes');
	changeBasis(session, { basis, rule: 'R1.1.5' });
	sayUpAxis(session, layers);
}

function sayUpAxis(session: FixSession, layers: readonly Layer[]): void {
	for (const layer of layers) {
		const present = dataOf(layer.field(Path.root, 'upAxis'), T.token);
		if (present === 'Z' || (present === undefined && layer !== session.rootLayer)) continue;
		session.edit('R1.1.5', layer, () => layer.setField(Path.root, 'upAxis', makeValue(T.token, 'Z') as Value));
	}
}

function hasSkeleton(session: FixSession): boolean {
	for (const prim of session.stage.traverse())
		if (prim.typeName === 'Skeleton' || prim.typeName === 'SkelRoot') return true;
	return false;
}

/** A default prim that is turned by quarter turns hands its rotation to the axes of all below it. */
function straightenRoot(session: FixSession): void {
	const prim = session.stage.defaultPrim;
	if (prim === undefined || !session.wants('R1.1.12')) return;
	const split = splitMatrix(localTransform(prim).matrix);
	if (split === undefined || isIdentity(split.rotation)) return;
	const basis = split.rotation.map((x) => Math.round(x));
	if (split.rotation.some((x, i) => Math.abs(x - basis[i]!) > 1e-6) || stretchKind(split.stretch) !== 'identity') {
		const message = 'the default prim is turned by other than quarter turns, which axes cannot take';
		session.refuse('R1.1.12', message, { prim });
		return;
	}
	const order = orderOf(prim);
	if (
		order.some((name) => !/^xformOp:(?:translate|orient)$/.test(name)) ||
		prim.attribute('xformOp:orient').timeSamples().length > 0
	) {
		session.refuse('R1.1.12', 'the default prim has operations other than translate and orient; apply F2 first', {
			prim,
		});
		return;
	}
	if (hasSkeleton(session)) {
		session.refuse('R1.1.12', 'skeletons have poses in matrices of their own, which are not turned', { prim });
		return;
	}
	standardizeTransforms(session, 'axes');
	changeBasis(session, { basis: basis.map((x) => x + 0), root: prim.path, rule: 'R1.1.12' });
}

function isIdentity(rotation: Float64Array): boolean {
	return rotation.every((x, i) => Math.abs(x - (i % 4 === 0 ? 1 : 0)) <= 1e-6);
}
