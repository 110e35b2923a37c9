import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Prims of one limb: a link with a visual, a collider, their scopes, and the joint that carries it. */
export const LIMB_PRIMS = 6;
/** Prims of a robot besides its limbs: the root, the base with its geometry, the physics material and its scope. */
export const BODY_PRIMS = 8;

/**
 * Makes a layered robot of `limbs` chains of `links` links below one base in `folder`, unless it is there, and gives its entry file.
 * Its geometry is primitive; it breaks the rules about names of visual variants on every link, and no rule above that.
 */
export function makeRobot(folder: string, limbs: number, links: number): string {
	const entry = join(folder, 'robot.usda');
	if (existsSync(entry)) return entry;
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'base.usda'), `${HEADER}\ndef Xform "robot"\n{\n${baseText(limbs, links)}}\n`);
	writeFileSync(join(folder, 'physics.usda'), `${HEADER}\nover "robot"\n{\n${physicsText(limbs, links)}}\n`);
	writeFileSync(entry, ENTRY);
	return entry;
}

/** Prims of the robot that {@link makeRobot} makes. */
export function robotPrims(limbs: number, links: number): number {
	return BODY_PRIMS + limbs * links * LIMB_PRIMS;
}

const METRICS = '    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n';
const HEADER = `#usda 1.0\n(\n    defaultPrim = "robot"\n${METRICS})\n`;
const ENTRY = `#usda 1.0
(
    defaultPrim = "robot"
    subLayers = [
        @./physics.usda@,
        @./base.usda@
    ]
${METRICS})

def Xform "robot" (
    assetInfo = {
        string identifier = "robot"
        dictionary ros = {
            string package_uri = "package://robot_description/urdf/robot.urdf"
        }
        string version = "1.0.0"
    }
    kind = "component"
)
{
}
`;

const shapes = (): string =>
	'def Scope "visual"\n{\n    def Cube "shape"\n    {\n        double size = 0.1\n    }\n}\n' +
	'def Scope "collision"\n{\n    def Cube "shape"\n    {\n        uniform token purpose = "guide"\n        double size = 0.1\n    }\n}\n';

function poseText(x: number, z: number): string {
	return (
		`quatd xformOp:orient = (1, 0, 0, 0)\ndouble3 xformOp:translate = (${x}, 0, ${z})\n` +
		'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n'
	);
}

function baseText(limbs: number, links: number): string {
	let text = `def Xform "base_link"\n{\n${poseText(0, 0)}${shapes()}`;
	for (let limb = 0; limb < limbs; limb++) {
		for (let link = 0; link < links; link++) {
			text += `def Xform "link_${limb}_${link}"\n{\n${poseText(link === 0 ? limb * 0.2 : 0, link === 0 ? 0 : 0.2)}${shapes()}`;
		}
		text += '}\n'.repeat(links);
	}
	return `${text}}\n`;
}

const COLLISION =
	'over "collision" (\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n' +
	'    rel material:binding:physics = </robot/physics_materials/rubber>\n' +
	'    over "shape" (\n        prepend apiSchemas = ["PhysicsCollisionAPI"]\n    )\n    {\n    }\n}\n';

function physicsText(limbs: number, links: number): string {
	const root = '/robot/base_link';
	let text =
		'over "base_link" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n)\n' +
		`{\n    float physics:mass = 3\n${COLLISION}`;
	for (let limb = 0; limb < limbs; limb++) {
		let parent = root;
		for (let link = 0; link < links; link++) {
			const name = `link_${limb}_${link}`;
			text += jointText(`joint_${limb}_${link}`, parent, `${parent}/${name}`, link === 0 ? limb * 0.2 : 0, link);
			text += `over "${name}" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{\n    float physics:mass = 1\n${COLLISION}`;
			parent += `/${name}`;
		}
		text += '}\n'.repeat(links);
	}
	return (
		`${text}}\ndef Scope "physics_materials"\n{\n    def Material "rubber" (\n        prepend apiSchemas = ["PhysicsMaterialAPI"]\n    )\n    {\n` +
		'        float physics:dynamicFriction = 0.7\n        float physics:restitution = 0.1\n        float physics:staticFriction = 0.8\n    }\n}\n'
	);
}

function jointText(name: string, body0: string, body1: string, x: number, link: number): string {
	return (
		`def PhysicsRevoluteJoint "${name}"\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = <${body0}>\n` +
		`    rel physics:body1 = <${body1}>\n    point3f physics:localPos0 = (${x}, 0, ${link === 0 ? 0 : 0.2})\n` +
		'    float physics:lowerLimit = -90\n    float physics:upperLimit = 90\n}\n'
	);
}
