import { ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { type ImportUsdOptions, importAsset } from '../../src/index.ts';

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

describe('a polynomial between joints', () => {
	const SCHEMA = '"MjcEqualityJointAPI"';
	const read = (own: string, options: ImportUsdOptions = {}, schemas = SCHEMA) => {
		const builder = new ModelBuilder();
		const store = new MemoryStore({ 'r.usda': stage(schemas, own) });
		const { report, ledger } = importAsset('r.usda', builder, { store, usd: options });
		const told = report.toArray().filter(({ code }) => code === 'IMP062' || code === 'IMP063');
		return { builder, ledger, told: told.map(({ code, message }) => `${code} ${message}`) };
	};

	it.each([
		[2, 0.5],
		[3, -0.25],
		[4, 0.125],
	])('has the factor of power %i, which a mimic constraint cannot have', (power, value) => {
		const own = `rel mjc:target = </r/lead>\n\t\tdouble mjc:coef0 = 0.75\n\t\tdouble mjc:coef1 = 2`;
		const { builder, told } = read(`${own}\n\t\tdouble mjc:coef${power} = ${value}`);
		const rest = [2, 3, 4].map((at) => (at === power ? value : 0));
		const model = builder.finalize();
		expect([...model.equalityConstraintPolycoef]).toEqual([0.75, 2, ...rest]);
		expect([...model.constraintMimicCoef0]).toEqual([0.75]);
		expect([...model.constraintMimicCoef1]).toEqual([2]);
		expect(told).toEqual([
			`IMP063 the coefficients ${rest.join(', ')} of higher powers count for MuJoCo only; the mimic constraint has the first two`,
		]);
	});

	it('of which nothing is written is the identity and tells nothing', () => {
		const { builder, told } = read('rel mjc:target = </r/lead>');
		const model = builder.finalize();
		expect([...model.equalityConstraintPolycoef]).toEqual([0, 1, 0, 0, 0]);
		expect(told).toEqual([]);
	});

	it('is for MuJoCo alone where the options say so, without a word about higher powers', () => {
		const own = 'rel mjc:target = </r/lead>\n\t\tdouble mjc:coef2 = 3';
		const { builder, told } = read(own, { convertMjcEqualityConstraints: false });
		const model = builder.finalize();
		expect([...model.equalityConstraintPolycoef]).toEqual([0, 1, 3, 0, 0]);
		expect(model.constraintMimicCount).toBe(0);
		expect(told).toEqual([]);
	});

	it.each([
		['', 'newton:mimicJoint names no joint'],
		['rel mjc:target = </r/base>', 'it follows </r/base>, which is not imported'],
	])('is left out where its leader is missing: %s', (own, what) => {
		const { builder, told } = read(own);
		expect(told).toEqual([`IMP062 the joint constraint is left out: ${what}`]);
		const model = builder.finalize();
		expect(model.equalityConstraintCount).toBe(0);
		expect(model.constraintMimicCount).toBe(0);
	});

	it.each([
		['', true],
		['bool newton:mimicEnabled = true', true],
		['bool newton:mimicEnabled = false', false],
		['bool physics:jointEnabled = false', false],
		['bool physics:jointEnabled = false\n\t\tbool newton:mimicEnabled = true', false],
	])('is on or off as the joint and its schema say: %s', (own, enabled) => {
		const { builder } = read(`rel newton:mimicJoint = </r/lead>\n\t\t${own}`, { onlyLoadEnabledJoints: false });
		expect([...builder.column('equalityConstraintEnabled')].map(Boolean)).toEqual([enabled]);
		expect([...builder.column('constraintMimicEnabled')].map(Boolean)).toEqual([enabled]);
	});

	it('reads every coefficient, as the ledger says', () => {
		const names = [0, 1, 2, 3, 4].map((power) => `mjc:coef${power}`);
		const own = names.map((name) => `double ${name} = 1`).join('\n\t\t');
		const { ledger } = read(`rel mjc:target = </r/lead>\n\t\t${own}`);
		const fates = ledger.entries().filter(({ path, name }) => path === '/r/follow' && name.startsWith('mjc:coef'));
		expect(fates).toMatchObject(
			names.map((name) => ({ name, class: 'used', targets: ['equality_constraint_polycoef'] })),
		);
	});
});
