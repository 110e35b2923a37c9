import { parsePhysics } from '@manyworlds/usd';
import { ContextResolver } from '@manyworlds/usd/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildFrames } from '../../src/ros/ros-frames.ts';
import { textStage } from '../text-stage.ts';

/** A joint of a random tree: the link it hangs on, whether it is fixed, and whether its two sides are swapped. */
const joint = fc.record({ parent: fc.nat(), isFixed: fc.boolean(), isSwapped: fc.boolean() });

describe('the TF tree of a random robot', () => {
	it('has one frame for each link, hung as the joints say, whatever side is called body0 and however links are nested', () => {
		fc.assert(
			fc.property(
				fc.array(joint, { minLength: 1, maxLength: 12 }),
				fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
				(joints, nested) => {
					const paths = ['/r/link0'];
					const lines: string[] = [];
					const bodies = new Map<string, string[]>([['/r', ['link0']]]);
					joints.forEach(({ parent, isFixed, isSwapped }, i) => {
						const at = parent % (i + 1);
						const folder = nested[i] === true ? paths[at]! : '/r';
						paths.push(`${folder}/link${i + 1}`);
						bodies.set(folder, [...(bodies.get(folder) ?? []), `link${i + 1}`]);
						const [body0, body1] = isSwapped ? [paths[i + 1], paths[at]] : [paths[at], paths[i + 1]];
						lines.push(
							`def Physics${isFixed ? 'Fixed' : 'Revolute'}Joint "joint${i}" {\nrel physics:body0 = <${body0}>\nrel physics:body1 = <${body1}>\n}`,
						);
					});
					const define = (folder: string): string =>
						(bodies.get(folder) ?? [])
							.map(
								(name) =>
									`def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n${define(`${folder}/${name}`)}\n}`,
							)
							.join('\n');
					const anchor = 'def PhysicsFixedJoint "anchor" {\nrel physics:body1 = </r/link0>\n}';
					const stage = textStage(
						`def Xform "r" (prepend apiSchemas = ["RosContextAPI"]) {\n${define('/r')}\n${lines.join('\n')}\n${anchor}\n}`,
					);
					const frames = buildFrames({
						prims: stage.traverse(),
						physics: parsePhysics(stage),
						contexts: new ContextResolver(),
					});
					const found = new Map(frames.all.map((frame) => [frame.id, frame]));
					expect(found.size).toBe(joints.length + 2);
					expect(found.get('link0')).toMatchObject({ parentId: 'r', isStatic: true });
					joints.forEach(({ parent, isFixed }, i) => {
						const frame = found.get(`link${i + 1}`)!;
						expect(frame.parentId).toBe(`link${parent % (i + 1)}`);
						expect(frame.isStatic).toBe(isFixed);
						expect(frame.robot?.name).toBe('r');
					});
				},
			),
			{ seed: 158, numRuns: 150 },
		);
	});
});
