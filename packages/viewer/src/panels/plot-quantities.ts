import type { App } from '../app.ts';
import type { FreedomRow, JointRow } from '../asset/asset-types.ts';
import type { SimulationFrame } from '../simulation/simulation-session.ts';

/** Something that can be plotted over time. */
export interface PlotQuantity {
	/** Names it in addresses and forms. */
	readonly id: string;
	readonly group: string;
	readonly title: string;
	/** Undefined where a moment does not tell. */
	readonly measure: (frame: SimulationFrame) => number | undefined;
}

/** Follows the selection: the joint of the selected link, or the height of the first one. */
export const SELECTED_PLOT = 'selected';

/** All that can be plotted of the robot that is open. */
export function plotQuantities(app: App): PlotQuantity[] {
	const { joints = [], links = [] } = app.asset?.robot ?? {};
	const ofJoints = joints.flatMap((joint) =>
		joint.freedoms.flatMap((freedom, way) => jointQuantities(joint, freedom, way)),
	);
	const ofLinks = links.flatMap(({ label, name }, link) =>
		Array.from(
			'xyz',
			(axis, k): PlotQuantity => ({
				id: `${axis} ${label}`,
				group: 'Place of links',
				title: `${axis} of ${name} [m]`,
				measure: ({ poses }) => poses[7 * link + k],
			}),
		),
	);
	return [selectedQuantity(app), ...WHOLE, ...ofJoints, ...ofLinks];
}

/** What concerns the robot as a whole. */
const WHOLE: readonly PlotQuantity[] = [
	whole('height', 'Height of the first link [m]', ({ poses }) => poses[2]),
	whole('energy', 'Energy [J]', ({ energy }) => energy && energy.kinetic + energy.potential),
	whole('kinetic', 'Kinetic energy [J]', ({ energy }) => energy?.kinetic),
	whole('potential', 'Potential energy [J]', ({ energy }) => energy?.potential),
	whole('contacts', 'Contacts', ({ contacts }) => contacts.length / 6),
	whole('force', 'Forces of contacts [N]', ({ contacts }) => {
		let sum = 0;
		for (let at = 3; at < contacts.length; at += 6) sum += Math.hypot(...contacts.subarray(at, at + 3));
		return sum;
	}),
	whole('difference', 'Largest distance between links of the two robots [m]', ({ difference }) => difference),
];

function whole(id: string, title: string, measure: PlotQuantity['measure']): PlotQuantity {
	return { id, group: 'Robot', title, measure };
}

function jointQuantities(joint: JointRow, { motion, coordinate, dof }: FreedomRow, way: number): PlotQuantity[] {
	const name = joint.freedoms.length > 1 ? `${joint.name} ${way + 1}` : joint.name;
	const label = joint.freedoms.length > 1 ? `${joint.label} ${way + 1}` : joint.label;
	const [position, force] = motion === 'turn' ? ['rad', 'N·m'] : ['m', 'N'];
	return [
		{
			id: `position ${label}`,
			group: 'Positions',
			title: `${name} [${position}]`,
			measure: ({ coordinates }) => coordinates[coordinate],
		},
		{
			id: `velocity ${label}`,
			group: 'Velocities',
			title: `Velocity of ${name} [${position}/s]`,
			measure: ({ velocities }) => velocities?.[dof],
		},
		{
			id: `effort ${label}`,
			group: 'Drives',
			title: `Effort of ${name} [${force}]`,
			measure: ({ efforts }) => efforts?.[dof],
		},
	];
}

function selectedQuantity(app: App): PlotQuantity {
	const robot = app.asset?.robot;
	const joint = robot?.joints[robot.links[app.selection.link]?.joint ?? -1];
	const freedom = joint?.freedoms[0];
	const followed = freedom === undefined ? WHOLE[0]! : jointQuantities(joint!, freedom, 0)[0]!;
	return { ...followed, id: SELECTED_PLOT, group: 'Selection' };
}
