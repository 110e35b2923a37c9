import type { RepCode } from '@manyworlds/rep158';
import { checkAsset } from '@manyworlds/rep158';
import { expect, test } from 'vitest';
import { openAsset } from './open-asset.ts';

const JOINT_IN_VARIANT = `#usda 1.0
(
    defaultPrim = "robot"
    metersPerUnit = 1
)

def Xform "robot" (
    variants = {
        string style = "plain"
    }
    prepend variantSets = "style"
)
{
    variantSet "style" = {
        "jointed" {
            def PhysicsFixedJoint "joint"
            {
                double3 xformOp:translate = (1, 2, 3)
            }
        }
        "plain" {
        }
    }
}
`;

test('a fault that shows in another variant selection is found there, with the selection', () => {
	const { layer, store } = openAsset({ 'robot.usda': JOINT_IN_VARIANT }, 'robot.usda');
	const { report, selectionCount } = checkAsset(layer, store, { select: new Set(['R1.1.16']) });
	expect(selectionCount).toBe(2);
	expect(report.toArray()).toMatchObject([
		{
			code: 'R1.1.16',
			severity: 'warning',
			file: 'robot.usda',
			range: { start: { line: 18, column: 25 } },
			prim: '/robot/joint.xformOp:translate',
			variants: { style: 'jointed' },
		},
	]);
});

test('one fault of several rules is one finding, which names the others', () => {
	const text = '#usda 1.0\n(\n    defaultPrim = "r"\n)\n\ndef Xform "r"\n{\n    float physxJoint:armature = 1\n}\n';
	const { layer, store } = openAsset({ 'r.usda': text }, 'r.usda');
	const vendor = new Set<RepCode>(['R1.4.1', 'R1.4.2', 'R1.4.4', 'R1.2.1.12', 'R4.2.2.3']);
	const findings = checkAsset(layer, store, { select: vendor }).report.toArray();
	expect(findings.map(({ code }) => code)).toEqual(['R1.4.1']);
	expect(findings[0]!.related).toEqual([{ message: 'also breaks R1.4.4, R1.2.1.12' }]);
});
