import { ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { importAsset } from '../../src/index.ts';

function stage(schemas: string, target: string): string {
	const link = (
		name: string,
	): string => `def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
	{ float physics:mass = 1  float3 physics:diagonalInertia = (1, 1, 1) }`;
	const joint = (name: string, child: string, more: string, own: string): string => `
	def PhysicsRevoluteJoint "${name}" (${more})
	{
		rel physics:body0 = </r/base>
		rel physics:body1 = </r/${child}>
		uniform token physics:axis = "X"
		${own}
	}`;
	return `#usda 1.0
(defaultPrim = "r" metersPerUnit = 1 upAxis = "Z")
def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"])
{
	${link('base')}
	${link('a')}
	${link('b')}
	def PhysicsFixedJoint "root" { rel physics:body1 = </r/base> }
	${joint('lead', 'a', '', '')}
	${joint('follow', 'b', `prepend apiSchemas = [${schemas}]`, target)}
}
`;
}

describe('a joint that follows another and is a constraint of MuJoCo', () => {
	it.each([
		['"NewtonMimicAPI", "MjcEqualityJointAPI"', 'rel newton:mimicJoint = </r/lead>'],
		['"ExtendedPhysicsMimicAPI", "MjcEqualityJointAPI"', 'rel ext_physics:mimic:joint = </r/lead>'],
	])('follows by the schema that it has: %s', (schemas, target) => {
		const builder = new ModelBuilder();
		const store = new MemoryStore({ 'r.usda': stage(schemas, target) });
		const { report } = importAsset('r.usda', builder, { store });
		const model = builder.finalize();
		expect(
			report
				.toArray()
				.filter(({ code }) => code === 'IMP062')
				.map(({ message }) => message),
		).toEqual([]);
		expect(model.equalityConstraintCount).toBe(1);
		const named = [model.equalityConstraintJoint1[0]!, model.equalityConstraintJoint2[0]!];
		expect(named.map((joint) => model.jointLabels[joint]!.replace(/^.*\//, ''))).toEqual(['follow', 'lead']);
	});

	it('has its offset in degrees, as the ledger says', () => {
		const own = 'rel newton:mimicJoint = </r/lead>\n\t\tfloat newton:mimicCoef0 = 90\n\t\tfloat newton:mimicCoef1 = 2';
		const store = new MemoryStore({ 'r.usda': stage('"NewtonMimicAPI", "MjcEqualityJointAPI"', own) });
		const builder = new ModelBuilder();
		const { ledger } = importAsset('r.usda', builder, { store });
		const polycoef = [...builder.finalize().equalityConstraintPolycoef];
		for (const [i, value] of [Math.PI / 2, 2, 0, 0, 0].entries()) expect(polycoef[i]).toBeCloseTo(value, 6);
		const target = 'equality_constraint_polycoef';
		const fates = ledger.entries().filter(({ path, name }) => path === '/r/follow' && name.startsWith('newton:'));
		expect(fates).toMatchObject([
			{ name: 'newton:mimicCoef0', class: 'converted', targets: [target], from: 'degrees', to: 'radians' },
			{ name: 'newton:mimicCoef1', class: 'used', targets: [target] },
		]);
	});
});
