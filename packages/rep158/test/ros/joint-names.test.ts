import { describe, expect, it } from 'vitest';
import { jointName } from '../../src/ros/joint-name.ts';
import { textStage } from '../text-stage.ts';

describe('names of joints', () => {
	const stage = textStage(`
def PhysicsRevoluteJoint "a" { custom string ros:joint:name = "shoulder-pan" }
def PhysicsFixedJoint "b" { custom string ros:joint:name = "" }
def PhysicsPrismaticJoint "c" {}`);

	it('are the authored ones on joints of any type', () => {
		expect(jointName(stage.prim('/a')!)).toBe('shoulder-pan');
	});

	it('fall back to the prim name', () => {
		expect(jointName(stage.prim('/b')!)).toBe('b');
		expect(jointName(stage.prim('/c')!)).toBe('c');
	});
});
