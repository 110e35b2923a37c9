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
	])('are finished as copies, each the same as an import: %s', (_, options) => {
		const stage = openUsd(SCENE);
		const builder = new ModelBuilder({ contactDefaults: 'newton' });
		const expected = contentOf(builder, importUsd(stage, builder, options));
		const parts = new ImportedParts(stage, new ModelBuilder({ contactDefaults: 'newton' }), {
			...options,
			reading: readStage(stage, options),
		});
		for (let i = 0; i < 3; i++) {
			const copy = parts.finishCopy();
			expect(contentOf(copy.builder, copy)).toEqual(expected);
			// what is done to a copy is not done to the others
			copy.builder.column('bodyMass').fill(100);
		}
	});
});
