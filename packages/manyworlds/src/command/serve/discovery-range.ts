import type { OpenRtpsOptions } from '@manyworlds/node';
import type { CommandContext } from '../command-context.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Where a robot is looked for and told of, as the tools of ROS take it from the environment: `ROS_AUTOMATIC_DISCOVERY_RANGE` and
 * `ROS_STATIC_PEERS`. What the command line gives counts more, peers are added.
 */
export function discoveryRange(
	context: CommandContext,
	given: { readonly interface?: readonly string[]; readonly peer?: readonly string[] },
): Pick<OpenRtpsOptions, 'interfaces' | 'peers' | 'multicast'> {
	const stated = (context.io.env['ROS_STATIC_PEERS'] ?? '').split(';').filter((peer) => peer !== '');
	const peers = [...(given.peer ?? []), ...stated];
	const interfaces = given.interface === undefined ? {} : { interfaces: given.interface };
	const range = context.io.env['ROS_AUTOMATIC_DISCOVERY_RANGE'] ?? '';
	switch (range) {
		case 'LOCALHOST':
			return { interfaces: [LOOPBACK], peers: [LOOPBACK, ...peers], multicast: false };
		case 'OFF':
			return { ...interfaces, peers: [...(given.peer ?? [])], multicast: false };
		default:
			if (!['', 'SUBNET', 'SYSTEM_DEFAULT'].includes(range))
				context.note(
					`ROS_AUTOMATIC_DISCOVERY_RANGE is '${range}', expected SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT; SUBNET counts`,
				);
			return { ...interfaces, peers };
	}
}
