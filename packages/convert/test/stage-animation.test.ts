import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { type Glb, toGlb } from './gltf-scene.ts';
import { convertText } from './robots.ts';

/** A box on an arm that turns, in centimetres; 10 time codes are a second. */
const MOVING = `#usda 1.0
(
	defaultPrim = "W"
	metersPerUnit = 0.01
	timeCodesPerSecond = 10
	upAxis = "Z"
)
def Xform "W"
{
	def Xform "arm"
	{
		float xformOp:rotateZ.timeSamples = { -10: 0, 10: 180, 20: 540 }
		uniform token[] xformOpOrder = ["xformOp:rotateZ"]
		def Cube "hand"
		{
			double3 xformOp:translate = (100, 0, 0)
			uniform token[] xformOpOrder = ["xformOp:translate"]
		}
	}
	def Cube "lift"
	{
		double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (0, 0, 50) }
		float3 xformOp:scale.timeSamples = { 0: (1, 1, 1), 10: (2, 1, 1) }
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
	}
	def Cube "ghost"
	{
		token visibility.timeSamples = { 0: "inherited", 5: "invisible" }
	}
}`;

/** The value of a channel at a time, mixed as viewers do. */
function valueAt({ json, accessor }: Glb, node: string, path: string, time: number): number[] {
	const { channels, samplers } = json.animations[0];
	const index = json.nodes.findIndex(({ name }: { name: string }) => name === node);
	const channel = channels.find(
		({ target }: { target: { node: number; path: string } }) => target.node === index && target.path === path,
	);
	const { input, output } = samplers[channel.sampler];
	const [times, values] = [accessor(input), accessor(output)];
	const width = values.length / times.length;
	const after = Math.max(
		1,
		times.findIndex((one) => one >= time),
	);
	const share = (time - times[after - 1]!) / (times[after]! - times[after - 1]!);
	const [a, b] = [after - 1, after].map((at) => values.slice(width * at, width * at + width)) as [number[], number[]];
	if (path !== 'rotation') return a.map((part, k) => part + share * (b[k]! - part));
	const angle = Math.acos(
		Math.min(
			1,
			a.reduce((sum, part, k) => sum + part * b[k]!, 0),
		),
	);
	if (angle < 1e-6) return a;
	return a.map((part, k) => (Math.sin((1 - share) * angle) * part + Math.sin(share * angle) * b[k]!) / Math.sin(angle));
}

describe('a stage that moves', () => {
	it('moves in glTF as the stage does, between its samples too, in seconds from zero on', async () => {
		const glb = toGlb({ 'a.usda': MOVING }, 'a.usda', { animateStage: true });
		expect(glb.json.animations).toHaveLength(1);
		const [{ input }] = glb.json.animations[0].samplers;
		const { min, max } = glb.json.accessors[input];
		expect([min[0], max[0]]).toEqual([0, 3]);
		for (let code = -10; code <= 20; code += 0.7) {
			const angle = ((code < 10 ? (code + 10) * 9 : 180 + (code - 10) * 36) * Math.PI) / 180;
			const [x, y, z, w] = valueAt(glb, 'arm', 'rotation', (code + 10) / 10);
			expect(Math.abs(z! * Math.sin(angle / 2) + w! * Math.cos(angle / 2))).toBeCloseTo(1, 6);
			expect(Math.hypot(x!, y!)).toBe(0);
		}
		// time code 5 is 1.5 s after the first sample
		expect(valueAt(glb, 'lift', 'translation', 1.5)[2]).toBeCloseTo(25, 3);
		expect(valueAt(glb, 'lift', 'scale', 1.5)[0]).toBeCloseTo(1.5, 4);
		// what hangs on something that moves keeps its place there
		const hand = glb.json.nodes.findIndex(({ name }: { name: string }) => name === 'hand');
		const targets = glb.json.animations[0].channels.map(({ target }: { target: { node: number } }) => target.node);
		expect(targets).not.toContain(hand);
		const { issues } = await validateBytes(glb.bytes);
		expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
	});

	it('has an entry for each prim that changes: written, or told as lost', () => {
		const motions = (options: object): (readonly [string, string])[] =>
			toGlb({ 'a.usda': MOVING }, 'a.usda', options)
				.robot.ledger.filter(({ kind }) => kind === 'animation')
				.map(({ name, outcome }) => [name, outcome] as const);
		expect(motions({ animateStage: true })).toEqual([
			['/W/arm', 'exported'],
			['/W/lift', 'exported'],
			['/W/ghost', 'dropped'],
		]);
		expect(motions({}).map(([, outcome]) => outcome)).toEqual(['dropped', 'dropped', 'dropped']);
		expect(toGlb({ 'a.usda': MOVING }).json.animations).toBeUndefined();
	});

	it('is told in formats without motion', () => {
		const robot = MOVING.replace('def Xform "arm"', 'def Xform "arm" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )');
		const { ledger } = convertText('a.usda', robot, 'urdf');
		const told = ledger.filter(({ kind }) => kind === 'animation');
		expect(told.map(({ name, outcome }) => [name, outcome])).toContainEqual(['arm', 'dropped']);
	});
});
