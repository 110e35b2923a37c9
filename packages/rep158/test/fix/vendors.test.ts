import { describe, expect, it } from 'vitest';
import { type Files, fixMemory, openMemory } from './memory-asset.ts';

const HEAD = '#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n';

describe('F1', () => {
	const translate = (text: string): ReturnType<typeof fixMemory> => {
		const result = fixMemory({ 'a.usda': HEAD + text }, 'a.usda', { only: ['F1'] });
		expect(fixMemory(result.after, 'a.usda', { only: ['F1'] }).plan.items).toEqual([]);
		return result;
	};
	const value = (files: Files, path: string): unknown => openMemory(files, 'a.usda').stage.attribute(path)?.get()?.data;

	it('translates by schema and property: a velocity limit of a joint is none of a motor', () => {
		const { after } = translate(`def Xform "R" {
def NewtonActuator "motor" (prepend apiSchemas = ["NewtonDCMotorClampingAPI", "NewtonPDControlAPI"]) {
rel newton:targets = </R/j>
float newton:velocityLimit = 5
float newton:kp = 3
}
def PhysicsRevoluteJoint "j" (prepend apiSchemas = ["NewtonJointAPI"]) {
float newton:velocityLimit = 90
}
}
`);
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.prim('/R/motor')!.typeName).toBe('Xform');
		expect(stage.prim('/R/motor')!.authoredSchemas).toEqual([
			'ExtendedPhysicsActuatorAPI',
			'ExtendedPhysicsDCMotorClampingAPI',
			'NewtonPDControlAPI',
		]);
		expect(value(after, '/R/motor.ext_physics:clamp_motor:velocityLimit')).toBe(5);
		expect(stage.relationship('/R/motor.ext_physics:actuator:targets')!.targets().join()).toBe('/R/j');
		expect(value(after, '/R/j.newton:velocityLimit')).toBe(90);
	});

	it('says fallbacks that differ, and applies core schemas that vendors bring along', () => {
		const { after } = translate(`def Xform "R" {
def Material "m" (prepend apiSchemas = ["NewtonMaterialAPI"]) {
float newton:rollingFriction = 0.2
}
def Cube "c" (prepend apiSchemas = ["NewtonCollisionAPI"]) {
}
}
`);
		expect(value(after, '/R/m.ext_physics:material:torsionalFriction')).toBe(Math.fround(0.005));
		expect(value(after, '/R/m.ext_physics:material:rollingFriction')).toBe(Math.fround(0.2));
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.prim('/R/c')!.authoredSchemas).toEqual(['PhysicsCollisionAPI', 'NewtonCollisionAPI']);
		expect(stage.prim('/R/m')!.authoredSchemas).toContain('PhysicsMaterialAPI');
	});

	it('translates mimic joints of every origin, in variants too', () => {
		const { after, messages } = translate(`def Xform "R" (
prepend variantSets = "hand"
variants = { string hand = "a" }
) {
def PhysicsRevoluteJoint "leader" {
}
def PhysicsRevoluteJoint "physx" (prepend apiSchemas = ["PhysxMimicJointAPI:rotX"]) {
rel physxMimicJoint:rotX:referenceJoint = </R/leader>
float physxMimicJoint:rotX:gearing = -2
float physxMimicJoint:rotX:offset = 5
}
def PhysicsRevoluteJoint "mjc" (prepend apiSchemas = ["MjcEqualityJointAPI"]) {
rel mjc:target = </R/leader>
uniform double mjc:coef0 = 0.5
uniform double mjc:coef1 = -1
}
def PhysicsRevoluteJoint "bent" (prepend apiSchemas = ["MjcEqualityJointAPI"]) {
rel mjc:target = </R/leader>
uniform double mjc:coef2 = 0.5
}
variantSet "hand" = {
"a" {
}
"b" {
def PhysicsRevoluteJoint "newton" (prepend apiSchemas = ["NewtonMimicAPI"]) {
rel newton:mimicJoint = </R/leader>
float newton:mimicCoef1 = 3
}
}
}
}
`);
		expect(value(after, '/R/physx.ext_physics:mimic:multiplier')).toBe(2);
		expect(value(after, '/R/physx.ext_physics:mimic:offset')).toBe(-5);
		expect(value(after, '/R/mjc.ext_physics:mimic:offset')).toBeCloseTo(28.64789, 4);
		expect(value(after, '/R/mjc.ext_physics:mimic:multiplier')).toBe(-1);
		expect(messages.join()).toContain('polynomial of higher degree');
		expect(after['a.usda']).toContain('float ext_physics:mimic:multiplier = 3');
		expect(after['a.usda']).not.toContain('NewtonMimicAPI');
	});
});

describe('F4', () => {
	const files: Files = {
		'a.usda': `${HEAD}def Xform "R" (
    references = @./part.usda@
    prepend apiSchemas = ["PhysxArticulationAPI"] # tuned
    prepend variantSets = "v"
    variants = { string v = "x" }
)
{
    int physxArticulation:solverPositionIterationCount = 8
    double mass_note = 3
    def OmniGraph "graph"
    {
        custom string omni:kind = "ros"
        def OmniGraphNode "node"
        {
            custom rel inputs:target = </R/link>
        }
    }
    variantSet "v" = {
        "x" {
            over "link" {
                float physxJoint:armature = 2
            }
        }
        "y" {
            over "link" {
                float physxJoint:armature = 4
            }
        }
    }
}
`,
		'part.usda': `#usda 1.0
(defaultPrim = "P")
def Xform "P" {
    def Xform "link" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsJointStateAPI:angular"]) {
        float state:angular:physics:position = 1
        rel mjc:target = </P>
        asset isaac:nameOverride = @./note.txt@
    }
}
`,
	};
	const result = fixMemory(files, 'a.usda', { only: ['F4'] });

	it('leaves no word of a vendor in the neutral layers', () => {
		expect(result.messages).toEqual([]);
		expect(Object.keys(result.after).sort()).toEqual([
			'a.usda',
			'a_isaac.usda',
			'a_mujoco.usda',
			'a_physx.usda',
			'isaac.usda',
			'mujoco.usda',
			'part.usda',
			'physx.usda',
		]);
		for (const name of ['a.usda', 'part.usda']) {
			expect(result.after[name]).not.toMatch(/physx|omni|Omni|isaac|mjc|JointState|state:/);
		}
		expect(result.after['a.usda']).toContain('double mass_note = 3');
	});

	it('gives every vendor what it had, in each variant', () => {
		const read = (root: string, path: string, variant: string): unknown => {
			const texts = Object.fromEntries(
				Object.entries(result.after).map(([name, text]) => [
					name,
					String(text).replace('string v = "x"', `string v = "${variant}"`),
				]),
			);
			return openMemory(texts, root).stage.attribute(path)?.get()?.data;
		};
		expect(read('a_physx.usda', '/R.physxArticulation:solverPositionIterationCount', 'x')).toBe(8);
		expect(read('a_physx.usda', '/R/link.physxJoint:armature', 'x')).toBe(2);
		expect(read('a_physx.usda', '/R/link.physxJoint:armature', 'y')).toBe(4);
		expect(read('a_physx.usda', '/R/link.state:angular:physics:position', 'x')).toBe(1);
		const { stage } = openMemory(result.after, 'a_isaac.usda');
		expect(stage.prim('/R/graph/node')!.typeName).toBe('OmniGraphNode');
		expect(stage.relationship('/R/graph/node.inputs:target')!.targets().join()).toBe('/R/link');
		expect(openMemory(result.after, 'a_mujoco.usda').stage.relationship('/R/link.mjc:target')!.targets().join()).toBe(
			'/R',
		);
	});

	it('does nothing the second time', () => {
		expect(fixMemory(result.after, 'a.usda', { only: ['F4'] }).files).toEqual([]);
	});

	it('keeps a variant stronger than the reference that it beat', () => {
		const part = '#usda 1.0\n(defaultPrim = "P")\ndef Xform "P" {\nfloat physxJoint:armature = 1\n}\n';
		const text = `${HEAD}def Xform "R" (
references = @./p.usda@
prepend variantSets = "v"
variants = { string v = "x" }
) {
variantSet "v" = {
"x" {
float physxJoint:armature = 2
}
"y" {
}
}
}
`;
		const before = { 'a.usda': text, 'p.usda': part };
		const { after, messages } = fixMemory(before, 'a.usda', { only: ['F4'] });
		expect(messages).toEqual([]);
		const armature = (variant: string): unknown => {
			const entry = String(after['a.usda']).replace('string v = "x"', `string v = "${variant}"`);
			const { stage } = openMemory({ ...after, 'a.usda': entry }, 'a_physx.usda');
			return stage.attribute('/R.physxJoint:armature')?.get()?.data;
		};
		expect(armature('x')).toBe(2);
		expect(armature('y')).toBe(1);
		expect(`${after['a.usda']}${after['p.usda']}`).not.toContain('physx');
		expect(fixMemory(after, 'a.usda', { only: ['F4'] }).files).toEqual([]);
	});

	it('moves opinions of a variant that a reference brings', () => {
		const part = `#usda 1.0
(defaultPrim = "P")
def Xform "P" (
    prepend variantSets = "v"
    variants = { string v = "x" }
) {
    variantSet "v" = {
        "x" {
            def Xform "link" {
                float physxJoint:armature = 2
            }
        }
    }
}
`;
		const before = { 'a.usda': `${HEAD}def Xform "R" (references = @./p.usda@) {\n}\n`, 'p.usda': part };
		const { after, messages } = fixMemory(before, 'a.usda', { only: ['F4'] });
		expect(messages).toEqual([]);
		const { stage } = openMemory(after, 'a_physx.usda');
		expect(stage.attribute('/R/link.physxJoint:armature')?.get()?.data).toBe(2);
	});

	describe('with a variant set', () => {
		const options = { only: ['F4'], parameters: { vendorHook: 'variant' } } as const;
		const { after, messages } = fixMemory(files, 'a.usda', options);
		const stageOf = (engine: string): ReturnType<typeof openMemory>['stage'] => {
			const entry = String(after['a.usda']).replace('physics_engine = "neutral"', `physics_engine = "${engine}"`);
			return openMemory({ ...after, 'a.usda': entry }, 'a.usda').stage;
		};

		it('reaches the layer of each vendor by a variant of the entry, which is neutral without one', () => {
			expect(messages).toEqual([]);
			expect(Object.keys(after).sort()).toEqual(['a.usda', 'isaac.usda', 'mujoco.usda', 'part.usda', 'physx.usda']);
			expect(stageOf('physx').attribute('/R/link.physxJoint:armature')?.get()?.data).toBe(2);
			expect(stageOf('physx').prim('/R/graph')).toBeUndefined();
			expect(stageOf('isaac').prim('/R/graph/node')!.typeName).toBe('OmniGraphNode');
			expect(stageOf('neutral').prim('/R/link')!.authoredPropertyNames()).toEqual([]);
		});

		it('does nothing the second time', () => {
			expect(fixMemory(after, 'a.usda', options).files).toEqual([]);
		});

		it('is refused where opinions lie outside of the default prim', () => {
			const stray = { 'a.usda': `${HEAD}def Xform "R" {\n}\ndef Xform "S" {\nfloat physxJoint:armature = 2\n}\n` };
			const result = fixMemory(stray, 'a.usda', options);
			expect(result.files).toEqual([]);
			expect(result.messages.join()).toContain('</S> lies outside of the default prim');
		});
	});
});
