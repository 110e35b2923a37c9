import { importUsd } from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import { saveToMjcf } from '@manyworlds/mujoco';
import { Layer, readUsda, SchemaRegistry, Stage } from '@manyworlds/usd';
import { describe, expect, test } from 'vitest';

/** A robot with a variant of its hand, an instanced collider, and metadata that only USD knows. */
const ROBOT = `#usda 1.0
(
    defaultPrim = "robot"
    metersPerUnit = 1
    upAxis = "Z"
)
class Xform "_pad" {
    def Sphere "ball" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
        double radius = 0.0625
    }
}
def Xform "robot" (
    assetInfo = { string identifier = "secret_identifier" }
    kind = "component"
    prepend apiSchemas = ["PhysicsArticulationRootAPI"]
    variants = { string hand = "short" }
    prepend variantSets = "hand"
) {
    variantSet "hand" = {
        "short" {
            over "arm" { def Cube "short_hand" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
                double size = 0.25
            }
            }
        }
        "long" {
            over "arm" { def Cube "long_hand" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
                double size = 0.5
            }
            }
        }
    }
    def Xform "base" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
        float physics:mass = 3
        float3 physics:diagonalInertia = (1, 1, 1)
        def Xform "pad" (
            instanceable = true
            prepend inherits = </_pad>
        ) {
        }
    }
    def Xform "arm" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
        double3 xformOp:translate = (0, 0, 2)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        float physics:mass = 2
        float3 physics:diagonalInertia = (1, 1, 1)
    }
    def PhysicsRevoluteJoint "shoulder" {
        rel physics:body0 = </robot/base>
        rel physics:body1 = </robot/arm>
        point3f physics:localPos0 = (0, 0, 2)
    }
}
`;

/** Duties of exporters in REP 0158 (R3.7.1, R3.7.2, R3.8.1, R3.8.3), as USD goes out to MJCF. */
describe('USD to MJCF', () => {
	const data = readUsda(new TextEncoder().encode(ROBOT), { file: 'robot.usda' });
	const builder = new ModelBuilder();
	importUsd(Stage.open(new Layer('robot.usda', data), { schemas: SchemaRegistry.openUsd }), builder);
	const { text } = saveToMjcf(builder.finalize());

	test('only the selected variant goes out', () => {
		expect(text).toContain('short_hand');
		expect(text).not.toContain('long_hand');
	});

	test('links are nested as the joints connect them, placed relative to their parents', () => {
		const base = text.indexOf('<body', text.indexOf('<worldbody'));
		const arm = text.indexOf('<body', base + 1);
		expect(text.slice(base, arm)).not.toContain('</body>');
		expect(text.slice(arm, text.indexOf('>', arm))).toMatch(/pos="0 0 2"/);
	});

	test('masses go out, and colliders of instances among the others', () => {
		expect(text.match(/mass="3"/g)).toHaveLength(1);
		expect(text.match(/mass="2"/g)).toHaveLength(1);
		// a sphere is what a geom is unless it says otherwise
		expect(text).toMatch(/<geom name="ball" size="0\.0625"/);
	});

	test('metadata of USD stays behind', () => {
		expect(text).not.toMatch(/secret_identifier|component|ArticulationRoot/);
	});
});
