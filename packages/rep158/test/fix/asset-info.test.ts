import { describe, expect, it } from 'vitest';
import { fixMemory } from './memory-asset.ts';

const TEXT = `#usda 1.0
(
    upAxis = "Z"
)

# the robot
def Xform "Robot" (
    assetInfo = {
        string name = "robot" # keep
    }
)
{
    def Xform "part" (
        kind = "component"
    )
    {
    }
}
`;

describe('F9 and F10', () => {
	const options = { only: ['F9', 'F10'], parameters: { version: '1.2.0' } } as const;

	it('author the default prim, identifier, version and kinds', () => {
		const { after, plan } = fixMemory({ 'arm.usda': TEXT }, 'arm.usda', options);
		expect(after['arm.usda']).toBe(`#usda 1.0
(
    upAxis = "Z"
    defaultPrim = "Robot"
)

# the robot
def Xform "Robot" (
    assetInfo = {
        string name = "robot" # keep
        string identifier = "arm"
        string version = "1.2.0"
    }
    kind = "component"
)
{
    def Xform "part" (
        kind = "subcomponent"
    )
    {
    }
}
`);
		expect(plan.items.map(({ rule, path, op }) => `${rule} ${op} ${path}`)).toEqual([
			'R1.2.5.1 add /',
			'R1.2.5.2 set /Robot',
			'R1.2.5.3 set /Robot',
			'R1.2.2.1 add /Robot',
			'R1.2.2.3 set /Robot/part',
		]);
	});

	it('do nothing the second time', () => {
		const { after } = fixMemory({ 'arm.usda': TEXT }, 'arm.usda', options);
		const again = fixMemory(after, 'arm.usda', options);
		expect(again.files).toEqual([]);
		expect(again.plan.items).toEqual([]);
	});

	it('ask for a version that nobody gave', () => {
		const { messages, plan } = fixMemory({ 'arm.usda': TEXT }, 'arm.usda', { only: ['F9'] });
		expect(messages).toEqual([
			'FIX002 R1.2.5.3: assetInfo has no version, and only you know it; give it with --asset-version VERSION',
		]);
		expect(plan.notes).toHaveLength(1);
	});

	it('put right only the rules that are selected', () => {
		const { plan } = fixMemory({ 'arm.usda': TEXT }, 'arm.usda', { ...options, select: new Set(['R1.2.5.1']) });
		expect(plan.items.map(({ rule }) => rule)).toEqual(['R1.2.5.1']);
	});
});
