import type { Prim } from '@manyworlds/usd';
import { authoredText } from '../ros/authored-values.ts';
import { interfaceSchemas } from '../ros/ros-interfaces.ts';
import { rosNameOf } from '../ros/ros-names.ts';
import { eachPrim } from './each-prim.ts';
import type { FixSession } from './fix-session.ts';
import type { Fixer } from './fixer.ts';
import { freeChildName, moveSchema } from './move-interface.ts';
import { isBody } from './read-values.ts';

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
