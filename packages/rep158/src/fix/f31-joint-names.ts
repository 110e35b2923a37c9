import { dataOf, isIdentifier, makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { authoredText } from '../ros/authored-values.ts';
import { JOINT_NAME } from '../ros/joint-name.ts';
import { rosNameOf } from '../ros/ros-names.ts';
import { eachPrim } from './each-prim.ts';
import type { FixSession } from './fix-session.ts';
import type { Fixer } from './fixer.ts';
import { isJoint } from './read-values.ts';
import { setRosAttribute } from './ros-layer.ts';

/** F31: joints get the ROS names that are given for them. */
export const JOINT_NAMES: Fixer = {
	family: 'F31',
	title: 'ROS names of joints',
	rules: ['R2.10.1'],
	safety: 'safe',
	apply(session) {
		eachPrim(session, isJoint, (prim) => nameJoint(session, prim, false));
	},
};

/** F31: joints whose prims could not have their names get what importers left of them as display names. */
export const DISPLAY_NAMES: Fixer = {
	family: 'F31',
	title: 'ROS names of joints from their display names',
	rules: ['R2.10.1'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(session, isJoint, (prim) => nameJoint(session, prim, true));
	},
};

function nameJoint(session: FixSession, prim: Prim, takesDisplayName: boolean): void {
	const given = session.parameters.jointNames?.[prim.path.toString()] ?? session.parameters.jointNames?.[prim.name];
	const present = authoredText(prim, JOINT_NAME);
	if (present !== undefined && (given === undefined || given === present)) return;
	const isEncoded = prim.name.startsWith('tn__') || rosNameOf(prim.name) !== prim.name;
	const shown = dataOf(prim.metadata('displayName'), T.string);
	const name = given ?? (takesDisplayName && isEncoded && shown !== undefined && shown !== '' ? shown : undefined);
	if (name === undefined) {
		if (isEncoded && (shown === undefined || shown === ''))
			session.ask('R2.10.1', `joint-name ${prim.name}=NAME`, 'the name of the joint is encoded', { prim });
		return;
	}
	if (name === prim.name && isIdentifier(name)) return;
	const value = makeValue(T.string, name) as Value;
	setRosAttribute(session, 'R2.10.1', prim, JOINT_NAME, value, { typeName: 'string', custom: true });
}
