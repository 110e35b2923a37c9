import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import { Attribute, isUsualPrim, openLayer, Stage } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import {
	type ImportUsdResult,
	importUsd,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
} from '../../src/index.ts';
import { robotText } from './robot-fixture.ts';
import { importText } from './usd-scene.ts';

const JOINT = `
def Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def PhysicsRevoluteJoint "j" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) {
	rel physics:body0 = </a>
	rel physics:body1 = </b>
	float physics:lowerLimit = -10
	float physics:breakForce = 100
	float drive:angular:physics:stiffness = 2
	float drive:linear:physics:stiffness = 2
	float newton:armature = 0.25
	float physxJoint:maxJointVelocity = 90
	float physxJoint:jointFriction = 3
	custom string userNote = "hello"
}`;

describe('the ledger that nobody asks for', () => {
	it('is empty, and the model and the findings are the same', () => {
		const schemaResolvers = [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON];
		const [kept, without] = [true, false].map((keepLedger) => importText(JOINT, { schemaResolvers, keepLedger }));
		expect(without!.result.ledger.totals().total).toBe(0);
		expect(kept!.result.ledger.totals().total).toBeGreaterThan(0);
		expect(without!.findings).toEqual(kept!.findings);
		for (const name of ['jointArmature', 'jointLimitLower', 'jointTargetKe', 'bodyMass'] as const) {
			expect(without!.builder.column(name)).toEqual(kept!.builder.column(name));
		}
	});
});

describe('the ledger', () => {
	const { result } = importText(JOINT, { schemaResolvers: [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON] });
	const entry = (name: string): unknown => result.ledger.entries().find((one) => one.name === name);

	it.each([
		['physics:lowerLimit', { class: 'converted', from: 'degrees', to: 'radians', targets: ['joint_limit_lower'] }],
		['drive:angular:physics:stiffness', { class: 'converted', from: 'per degree', to: 'per radian' }],
		['newton:armature', { class: 'used', resolver: 'newton', targets: ['joint_armature[0]'], value: '0.25' }],
		['physxJoint:maxJointVelocity', { class: 'converted', resolver: 'physx', to: 'radians per second' }],
		['physxJoint:jointFriction', { class: 'kept', resolver: 'physx' }],
		['physics:breakForce', { class: 'ignored', reason: 'joints of models do not break' }],
		[
			'drive:linear:physics:stiffness',
			{ class: 'ignored', reason: 'PhysicsDriveAPI:linear is not applied, so there is no drive' },
		],
		['userNote', { class: 'ignored' }],
	])('says what became of %s', (name, expected) => {
		expect(entry(name)).toMatchObject(expected);
	});

	it('says where values of the model came from', () => {
		expect(result.ledger.explain('joint_armature', 0)).toMatchObject([
			{ source: 'authored', path: '/j', name: 'newton:armature', resolver: 'newton', value: '0.25' },
		]);
		expect(result.ledger.explain('joint_friction', 0)).toMatchObject([{ source: 'importer default', path: '/j' }]);
		expect(result.ledger.explain('shape_margin', 0)).toMatchObject([{ source: 'importer default', path: '/a' }]);
		expect(result.ledger.explain('joint_limit_lower', 0)).toMatchObject([
			{ source: 'authored', name: 'physics:lowerLimit', value: '-10' },
		]);
		expect(result.ledger.explain('joint_limit_upper', 0)).toMatchObject([{ source: 'schema default' }]);
		expect(result.ledger.explain('joint_target_ke', 0)).toMatchObject([
			{ source: 'authored', name: 'drive:angular:physics:stiffness', value: '2' },
		]);
		expect(result.ledger.explain('shape_material_mu', 0)).toMatchObject([{ source: 'builder default' }]);
	});

	it('names the file of every attribute', () => {
		expect(result.ledger.entries().every(({ file }) => file === 'root.usda')).toBe(true);
	});

	it('gives no reason twice and none for what was used', () => {
		for (const one of result.ledger.entries()) expect(one.reason === undefined).toBe(one.class !== 'ignored');
	});
});

describe('after fixed joints are merged', () => {
	it('still explains the joints that stay', () => {
		const { header, body } = robotText();
		const fixed = body.replace('PhysicsPrismaticJoint', 'PhysicsFixedJoint');
		const { result } = importText(header + fixed, { collapseFixedJoints: true });
		const joint = result.pathJointMap.get('/World/robot/shoulder')!;
		expect(result.pathJointMap.has('/World/robot/rail')).toBe(false);
		expect(result.pathBodyMap.get('/World/robot/slide')).toBe(result.pathBodyMap.get('/World/robot/arm'));
		const [provenance] = result.ledger.explain('joint_armature', 6);
		expect(joint).toBe(1);
		expect(provenance).toMatchObject({ path: '/World/robot/shoulder', name: 'newton:armature' });
	});
});

describe('totals', () => {
	const authored = (stage: Stage): number => {
		let count = 0;
		for (const prim of stage.traverse({ instanceProxies: true, predicate: isUsualPrim })) {
			count += prim.authoredProperties().filter((property) => property instanceof Attribute).length;
		}
		return count;
	};
	const check = (stage: Stage, result: ImportUsdResult): void => {
		const { used, converted, kept, ignored, total } = result.ledger.totals();
		expect(used + converted + kept + ignored).toBe(total);
		expect(total).toBe(authored(stage));
		expect(result.ledger.entries().every((one) => one.class !== 'ignored' || (one.reason ?? '') !== '')).toBe(true);
	};

	const checkImport = (bytes: Uint8Array, identifier: string): void => {
		const stage = Stage.open(openLayer(bytes, { identifier })!);
		const builder = new ModelBuilder();
		registerMujocoAttributes(builder);
		const schemaResolvers = [SCHEMA_RESOLVER_NEWTON, SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_MJC];
		check(stage, importUsd(stage, builder, { schemaResolvers }));
	};

	it('of a robot are the number of authored attributes', () => {
		const { header, body } = robotText();
		checkImport(new TextEncoder().encode(header + body), 'robot.usda');
	});

	const folder = join(import.meta.dirname, '../../../../../shared/assets/newton-tests');
	const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.usda')) : [];
	if (files.length === 0) console.log(`skipped: there is no ${folder}`);

	it.each(files)('of %s are the number of authored attributes', (name) => {
		checkImport(new Uint8Array(readFileSync(join(folder, name))), name);
	});
});
