import { ModelBuilder } from '@manyworlds/model';
import { COLUMN_NAMES } from '@manyworlds/model/internal';
import { describe, expect, it } from 'vitest';
import { type ImportUsdOptions, type ImportUsdResult, importUsd } from '../../src/index.ts';
import { ImportedParts, readStage } from '../../src/internal.ts';
import { openUsd } from './usd-scene.ts';

const BODY = 'prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]';
const COLLIDER = 'prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]';
const SCENE = `def PhysicsScene "scene" { bool newton:collapse_fixed_joints = 1 }
def Material "rubber" (prepend apiSchemas = ["PhysicsMaterialAPI"]) { float physics:density = 300 }
def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
	def Xform "a" (${BODY}) {
		float physics:mass = 2
		def Cube "s" (${COLLIDER}) { double size = 0.2 }
		def Sphere "t" (${COLLIDER}) {
			double radius = 0.1
			rel physics:filteredPairs = </r/c/s>
		}
	}
	def Xform "b" (${BODY}) {
		double3 xformOp:translate = (1, 0, 0)
		uniform token[] xformOpOrder = ["xformOp:translate"]
		def Cube "s" (${COLLIDER}) {
			double size = 0.2
			rel material:binding:physics = </rubber>
		}
	}
	def Xform "c" (${BODY}) {
		double3 xformOp:translate = (2, 0, 0)
		uniform token[] xformOpOrder = ["xformOp:translate"]
		def Cube "s" (${COLLIDER}) { double size = 0.2 }
	}
	def PhysicsRevoluteJoint "j" {
		rel physics:body0 = </r/a>
		rel physics:body1 = </r/b>
		point3f physics:localPos0 = (1, 0, 0)
	}
	def PhysicsFixedJoint "k" {
		rel physics:body0 = </r/b>
		rel physics:body1 = </r/c>
		point3f physics:localPos0 = (1, 0, 0)
	}
}
def Xform "loose" (${BODY}) {
	float physics:mass = -1
	def Sphere "s" (${COLLIDER}) { double radius = 0.1 }
}
`;

function contentOf(builder: ModelBuilder, result: ImportUsdResult): unknown {
	const { pathBodyMap, pathJointMap, pathShapeMap, pathOriginalBodyMap, collapseResults, report } = result;
	return {
		columns: COLUMN_NAMES.map((name) => [name, builder.column(name)]),
		labels: (['body', 'joint', 'shape', 'articulation'] as const).map((entity) => builder.labels(entity)),
		settings: [builder.upAxis, builder.gravity, builder.rigidGap, builder.contactDefaults],
		maps: [pathBodyMap, pathJointMap, pathShapeMap, pathOriginalBodyMap, collapseResults?.mergedBodyData],
		findings: report.toArray(),
	};
}

describe('parts of an import', () => {
	it.each<[string, ImportUsdOptions]>([
		['as they are', {}],
		['with a fixed root and another up axis', { floating: false, applyUpAxisFromStage: true }],
		['on a body that is there already', { parentBody: 0, xform: [1, 2, 3, 0, 0.6, 0, 0.8] }],
		[
			'with a root that slides',
			{ baseJoint: { type: 'prismatic', linearAxes: [{ axis: [0, 0, 1], velocityLimit: 7 }] } },
		],
	])('are finished as copies, each the same as an import: %s', (_, options) => {
		const stage = openUsd(SCENE);
		const begun = (): ModelBuilder => {
			const builder = new ModelBuilder({ contactDefaults: 'newton' });
			if (options.parentBody !== undefined)
				builder.addArticulation([builder.addJointFree({ child: builder.addLink() })]);
			return builder;
		};
		const builder = begun();
		const expected = contentOf(builder, importUsd(stage, builder, options));
		const parts = new ImportedParts(stage, begun(), { ...options, reading: readStage(stage, options) });
		for (let i = 0; i < 3; i++) {
			const copy = parts.finishCopy();
			expect(contentOf(copy.builder, copy)).toEqual(expected);
			// what is done to a copy is not done to the others
			copy.builder.column('bodyMass').fill(100);
		}
	});

	it('told the parts instead of the copy where numbers come from', () => {
		const stage = openUsd(SCENE);
		const { ledger } = importUsd(stage, new ModelBuilder());
		const parts = new ImportedParts(stage, new ModelBuilder(), { reading: readStage(stage) });
		for (let i = 0; i < 2; i++) {
			const copy = parts.finishCopy();
			for (const array of ['body_q', 'body_mass', 'joint_armature', 'shape_scale', 'shape_material_mu']) {
				for (let row = 0; row < 4; row++) expect(copy.ledger.explain(array, row)).toEqual(ledger.explain(array, row));
			}
			expect(copy.ledger.explain('joint_armature', 6)).toHaveLength(1);
		}
	});
});
