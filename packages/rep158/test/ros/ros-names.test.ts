import { describe, expect, it } from 'vitest';
import {
	fixedFrameId,
	fixedRosName,
	frameIdFault,
	interfaceTypeFault,
	namespaceFault,
	parseInterfaceType,
	rosNameFault,
	rosNameOf,
} from '../../src/ros/ros-names.ts';

describe('rosNameFault', () => {
	it.each(['scan', '/scan', 'camera/image_raw', '/a/b2/c_d', 'a__b', '_hidden'])('accepts %s', (name) => {
		expect(rosNameFault(name)).toBeUndefined();
	});
	it.each([
		['', /empty/],
		['/', /no token/],
		['a//b', /'\/\/'/],
		['scan/', /ends with/],
		['2nd', /digit/],
		['a/2nd', /digit/],
		['front-scan', /character '-'/],
		['~/scan', /character '~'/],
		['{node}/scan', /character '\{'/],
		['a b', /character ' '/],
		['größe', /character 'ö'/],
	])('refuses %j', (name, fault) => {
		expect(rosNameFault(name)).toMatch(fault);
	});
});

describe('namespaceFault', () => {
	it.each(['robot_1', '/fleet/robot_1', '/robot'])('accepts %s', (name) => {
		expect(namespaceFault(name)).toBeUndefined();
	});
	it.each([
		['a/b', /more than one segment/],
		['a/', /ends with/],
		['~x', /substitution/],
		['{robot}', /substitution/],
		['1st', /digit/],
		['/a//b', /'\/\/'/],
		['/', /no token/],
	])('refuses %j', (name, fault) => {
		expect(namespaceFault(name)).toMatch(fault);
	});
});

describe('frame ids', () => {
	it('takes what tf2 takes', () => {
		expect(frameIdFault('left/camera.optical-1')).toBeUndefined();
		expect(frameIdFault('/map')).toMatch(/starts with/);
		expect(frameIdFault('-x')).toMatch(/starts with '-'/);
		expect(frameIdFault('a b')).toMatch(/character ' '/);
		expect(fixedFrameId('/camera frame')).toBe('camera_frame');
		expect(frameIdFault(fixedFrameId('-é'))).toBeUndefined();
	});
});

describe('names of prims', () => {
	it('become names of ROS', () => {
		expect(rosNameOf('base_link')).toBe('base_link');
		expect(rosNameOf('2nd')).toBe('_2nd');
		expect(rosNameOf('größe')).toBe('gr__e');
		expect(fixedRosName('/front-left//2d/')).toBe('/front_left/_2d');
		expect(rosNameFault(fixedRosName('~/scan'))).toBeUndefined();
	});
});

describe('interface types', () => {
	it('have a package, a kind and a name', () => {
		expect(parseInterfaceType('sensor_msgs/msg/Image')).toEqual({
			packageName: 'sensor_msgs',
			kind: 'msg',
			name: 'Image',
		});
		expect(interfaceTypeFault('sensor_msgs/msg/Image', 'msg')).toBeUndefined();
		expect(interfaceTypeFault('sensor_msgs/msg/Image', 'srv')).toMatch(/msg type/);
		expect(interfaceTypeFault('sensor_msgs/Image', 'msg')).toMatch(/ROS 1/);
		for (const bad of ['Image', 'Sensor_msgs/msg/Image', 'a__b/msg/Image', 'sensor_msgs/msg/image', 'a/msg/B/C', '']) {
			expect(interfaceTypeFault(bad, 'msg')).toMatch(/package\/kind\/Name/);
		}
	});
});
