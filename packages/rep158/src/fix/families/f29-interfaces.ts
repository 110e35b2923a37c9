import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { authoredText, ContextResolver, interfaceSchemas, readInterfaces } from '@manyworlds/usd/internal';
import { bodyOf, isBody } from '../../asset/read-values.ts';
import { isSensorOutput } from '../../ros/interface-uses.ts';
import { rosNameOf } from '../../ros/ros-names.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setPrimField } from '../engine/sites.ts';
import { freeChildName, moveSchema } from '../prims/move-interface.ts';

/** F29: one interface on each prim, none on a link itself. */
export const INTERFACES: Fixer = {
	family: 'F29',
	title: 'interfaces on prims of their own',
	rules: ['R2.2.2', 'R2.2.3'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => interfaceSchemas(prim).length > 0,
			(prim) => separate(session, prim),
		);
	},
};

function separate(session: FixSession, prim: Prim): void {
	placeSensor(session, prim);
	const schemas = interfaceSchemas(prim);
	const isLink = isBody(prim);
	if (prim.typeName === 'Camera' || (!isLink && schemas.length < 2)) return;
	// the first one may stay where it is, unless that is a link
	const moved = isLink ? schemas : schemas.slice(1);
	for (const { api, prefix, noun } of moved) {
		const at = session.stage.prim(prim.path)!;
		const name = authoredText(at, `${prefix}:name`)
			?.split('/')
			.filter((token) => token !== '')
			.at(-1);
		const wish = name === undefined || name === '' ? noun : rosNameOf(name);
		moveSchema(session, isLink ? 'R2.2.2' : 'R2.2.3', at, api, prefix, freeChildName(at, wish));
	}
}

/** A sensor speaks from an Xform; which link one belongs to that is below none nobody can tell. */
function placeSensor(session: FixSession, prim: Prim): void {
	const isSensor = readInterfaces(prim, new ContextResolver()).some(isSensorOutput);
	if (!isSensor || prim.typeName === 'Camera') return;
	if (prim.typeName === 'Scope' || prim.typeName === '') {
		setPrimField(session, 'R2.2.2', prim, 'typeName', makeValue(T.token, 'Xform') as Value);
	} else if (bodyOf(prim) === undefined) {
		session.refuse('R2.2.2', 'the sensor is below no link, and which one it is on is not told', { prim });
	}
}
