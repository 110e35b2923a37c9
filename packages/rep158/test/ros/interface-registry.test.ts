import { describe, expect, it } from 'vitest';
import { InterfaceRegistry } from '../../src/ros/interface-registry.ts';

const { standard } = InterfaceRegistry;

describe('InterfaceRegistry', () => {
	it('knows the types of common packages and which messages have a header', () => {
		expect(standard.find('sensor_msgs/msg/JointState')).toMatchObject({ kind: 'msg', hasHeader: true });
		expect(standard.find('geometry_msgs/msg/Twist')).toMatchObject({ kind: 'msg', hasHeader: false });
		expect(standard.find('geometry_msgs/msg/TwistStamped')?.hasHeader).toBe(true);
		expect(standard.find('std_srvs/srv/SetBool')).toMatchObject({ kind: 'srv', hasHeader: false });
		expect(standard.find('control_msgs/action/FollowJointTrajectory')?.kind).toBe('action');
		expect(standard.find('sensor_msgs/msg/Imge')).toBeUndefined();
		expect(standard.size).toBeGreaterThan(400);
	});

	it('has the whole of simulation_interfaces 2.1.0', () => {
		const count = (kind: string): number =>
			['msg', 'srv', 'action']
				.filter((one) => one === kind)
				.reduce((sum) => sum + names('simulation_interfaces', kind).length, 0);
		expect([count('msg'), count('srv'), count('action')]).toEqual([15, 22, 1]);
	});

	it('suggests what a misspelt type may mean', () => {
		expect(standard.nearest('sensor_msgs/msg/Imge')).toBe('sensor_msgs/msg/Image');
		expect(standard.nearest('sensor_msgs/msg/laserscan')).toBe('sensor_msgs/msg/LaserScan');
		expect(standard.nearest('my_msgs/msg/Quite_Other')).toBeUndefined();
	});

	it('takes interface files of users', () => {
		const more = standard.with([
			{ type: 'bump_msgs/msg/Bump.msg', text: '# std_msgs/Header is here\nstd_msgs/Header header # stamp\nbool hit\n' },
			{ type: 'bump_msgs/msg/Plain', text: '#Header header\nbool hit' },
			{ type: 'bump_msgs/srv/Reset', text: 'std_msgs/Header header\n---\n' },
			{ type: 'not a type', text: '' },
		]);
		expect(more.find('bump_msgs/msg/Bump')?.hasHeader).toBe(true);
		expect(more.find('bump_msgs/msg/Plain')?.hasHeader).toBe(false);
		expect(more.find('bump_msgs/srv/Reset')).toMatchObject({ kind: 'srv', hasHeader: false });
		expect(more.size).toBe(standard.size + 3);
		expect(more.hasPackage('bump_msgs')).toBe(true);
		expect(standard.hasPackage('bump_msgs')).toBe(false);
	});
});

function names(packageName: string, kind: string): string[] {
	return SIMULATION_TYPES.filter((type) => standard.find(`${packageName}/${kind}/${type}`) !== undefined);
}

const SIMULATION_TYPES = [
	...['Bounds', 'EntityCategory', 'EntityFilters', 'EntityInfo', 'EntityState', 'NamedPose', 'Resource', 'Result'],
	...['SimulationState', 'SimulatorFeatures', 'SpawnEntity', 'SpawnResult', 'Spawnable', 'TagsFilter', 'WorldResource'],
	...['DeleteEntity', 'GetAvailableWorlds', 'GetCurrentWorld', 'GetEntities', 'GetEntitiesStates', 'GetEntityBounds'],
	...['GetEntityInfo', 'GetEntityState', 'GetNamedPoseBounds', 'GetNamedPoses', 'GetSimulationState'],
	...['GetSimulatorFeatures', 'GetSpawnables', 'LoadWorld', 'ResetSimulation', 'SetEntityInfo', 'SetEntityState'],
	...['SetSimulationState', 'SpawnEntities', 'StepSimulation', 'UnloadWorld', 'SimulateSteps'],
];
