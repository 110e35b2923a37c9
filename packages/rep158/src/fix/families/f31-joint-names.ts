import { makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import { authoredText, dataOf, freeChild, isIdentifier } from '@manyworlds/usd/internal';
import { bodyOf, hasSchema, isJoint } from '../../asset/read-values.ts';
import { JointGraph } from '../../context/joint-graph.ts';
import { JOINT_NAME, jointName } from '../../ros/joint-name.ts';
import { rosNameOf } from '../../ros/ros-names.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setRosAttribute } from '../layers/ros-layer.ts';
import { movePrims } from '../prims/move-prims.ts';

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

/** F31: joints of one robot that have one name are told apart by their child links. */
export const UNIQUE_NAMES: Fixer = {
	family: 'F31',
	title: 'names of joints that each robot has once',
	rules: ['R2.10.5'],
	safety: 'unsafe',
	apply(session) {
		const rule = 'R2.10.5';
		if (!session.wants(rule)) return;
		const graph = new JointGraph([...session.stage.traverse()].filter(isJoint), bodyOf);
		const seen = new Map<string, Set<string>>();
		const moves: { from: Path; to: Path }[] = [];
		const taken = new Set<Path>();
		for (const { prim, body0, body1 } of graph.joints) {
			const child = body1.body ?? body0.body;
			const robot = outermostContext(prim)?.path ?? (child === undefined ? undefined : graph.componentOf(child));
			const names = seen.get(`${robot ?? ''}`) ?? new Set();
			seen.set(`${robot ?? ''}`, names);
			const name = jointName(prim);
			if (!names.has(name)) {
				names.add(name);
				continue;
			}
			if (authoredText(prim, JOINT_NAME) !== undefined || child === undefined) {
				session.refuse(
					rule,
					`another joint of the robot is called '${name}' too, and what this one is called is not told`,
					{
						prim,
					},
				);
				continue;
			}
			const to = freeChild(session.stage, prim.path.parent!, `${name}_${child.name}`, taken);
			names.add(to.name);
			moves.push({ from: prim.path, to });
		}
		for (const [path, reason] of movePrims(session, rule, moves))
			session.refuse(rule, `the joint cannot have another name: ${reason}`, { prim: path });
	},
};

function outermostContext(prim: Prim): Prim | undefined {
	let found: Prim | undefined;
	for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent)
		if (hasSchema(at, 'RosContextAPI')) found = at;
	return found;
}
