import { ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { importUsd, SCHEMA_RESOLVER_NEWTON, type SchemaResolver } from '../../src/index.ts';
import { robotText } from './robot-fixture.ts';
import { importText, openUsd } from './usd-scene.ts';

const { header, body } = robotText();

describe('the result', () => {
	const { result, builder } = importText(header + body);

	it('tells of a root that is not imported itself, as of prims below it', () => {
		const soft = 'def Scope "s" {\ndef TetMesh "t" {}\n}';
		expect(importText(soft).findings).toEqual(['IMP081 /s/t']);
		expect(importText(soft, { rootPath: '/s' }).findings).toEqual(['IMP081 /s/t']);
		expect(importText(soft, { rootPath: '/s/t' }).findings).toEqual(['IMP081 /s/t']);
	});

	it('has every key', () => {
		expect(Object.keys(result).sort()).toEqual([
			'actuatorCount',
			'actuators',
			'collapseResults',
			'duration',
			'fps',
			'ledger',
			'linearUnit',
			'massUnit',
			'maxSolverIterations',
			'particleScenePath',
			'pathBodyMap',
			'pathBodyRelativeTransform',
			'pathDofMap',
			'pathJointMap',
			'pathOriginalBodyMap',
			'pathParticleMap',
			'pathShapeMap',
			'pathShapeScale',
			'physicsDt',
			'physicsScenePath',
			'report',
			'sceneAttributes',
			'schemaAttrs',
			'timestep',
			'upAxis',
		]);
	});

	it('maps paths to what carries them as labels', () => {
		for (const [path, index] of result.pathBodyMap) expect(builder.labels('body')[index]).toBe(path);
		for (const [path, index] of result.pathJointMap) expect(builder.labels('joint')[index]).toBe(path);
		for (const [path, index] of result.pathShapeMap) expect(builder.labels('shape')[index]).toBe(path);
		expect(result.pathBodyMap.size).toBe(builder.bodyCount);
		expect(result.pathShapeMap.size).toBe(builder.shapeCount);
	});

	it('has the facts of stage and scene', () => {
		expect(result).toMatchObject({ fps: 24, duration: 0, upAxis: 'z', linearUnit: 1, massUnit: 1, physicsDt: 0.001 });
		expect(result.physicsScenePath).toBe('/World/scene');
		expect(result.maxSolverIterations).toBe(-1);
		expect(result.sceneAttributes.get('physics:gravityMagnitude')).toBe(9.5);
	});
});

describe('the subtree', () => {
	it('is all that is imported', () => {
		const { builder } = importText(header + body, { rootPath: '/World/ball' });
		expect(builder.labels('body')).toEqual(['/World/ball']);
		expect(builder.labels('shape')).toEqual(['/World/ball']);
	});

	it.each([
		['a path and what is below it', '/World/robot', ['/World/ball']],
		['what begins alike', '/World/robot/a', ['/World/robot/cart', '/World/robot/slide', '/World/ball']],
		['a pattern', '.*slide', ['/World/robot/cart', '/World/robot/arm', '/World/ball']],
		['a regular expression', /\/World\/(robot|b)/, []],
	])('lacks %s', (_name, pattern, bodies) => {
		const { builder } = importText(header + body, { ignorePaths: [pattern] });
		expect([...builder.labels('body')].sort()).toEqual([...bodies].sort());
	});
});

describe('a resolver of the user', () => {
	const mine: SchemaResolver = {
		name: 'mine',
		namespaces: ['mineExtra'],
		mapping: {
			joint: {
				armature: { name: 'mine:rotor', transform: (value) => 0.5 * Number(value) },
				friction: {
					name: 'mine:a',
					read: (prim) => (prim.attribute('mine:a').hasAuthoredValue ? 4 : undefined),
					attributeNames: ['mine:a', 'mine:b'],
				},
			},
		},
	};
	const text = (header + body).replace(
		'float newton:armature',
		'float mine:rotor = 3\nfloat mineExtra:note = 7\nfloat newton:armature',
	);
	const { result, builder } = importText(text, { schemaResolvers: [mine, SCHEMA_RESOLVER_NEWTON] });
	const dof = builder.column('jointQdStart')[result.pathJointMap.get('/World/robot/shoulder')!]!;

	it('gives values by its own rules', () => {
		expect(builder.column('jointArmature')[dof]).toBe(1.5);
		expect(result.ledger.explain('joint_armature', dof)).toMatchObject([{ resolver: 'mine', name: 'mine:rotor' }]);
	});

	it('passes on what it cannot read', () => {
		const slider = builder.column('jointQdStart')[result.pathJointMap.get('/World/robot/rail')!]!;
		expect(builder.column('jointFriction')[slider]).toBeCloseTo(0.7, 6);
	});

	it('collects its namespaces', () => {
		expect([...result.schemaAttrs.get('mine')!.get('/World/robot/shoulder')!.keys()]).toEqual([
			'mine:rotor',
			'mineExtra:note',
		]);
	});
});

describe('several imports into one builder', () => {
	it('hang one robot on another', () => {
		const builder = new ModelBuilder();
		const arm = importUsd(openUsd(header + body), builder, { rootPath: '/World/robot' });
		const slide = arm.pathBodyMap.get('/World/robot/slide')!;
		const ball = importUsd(openUsd(header + body), builder, {
			rootPath: '/World/ball',
			parentBody: slide,
			xform: { p: [0, 0, 1] },
		});
		const model = builder.finalize();
		expect(model.articulationCount).toBe(1);
		const joint = model.jointChild.indexOf(ball.pathBodyMap.get('/World/ball')!);
		expect(model.jointParent[joint]).toBe(slide);
	});
});
