import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatG } from './format-g.ts';

/** Robots that the stages refer to. */
export const REFERENCES = 1000;
/** Prims of the robot, its root included. */
export const ROBOT_PRIMS = 101;

/**
 * Makes `robot.usda`, `references.usda` and `instances.usda` in `folder` unless they are there: stages of 1,000 references to
 * one robot, as `usd_bench.py` makes them.
 */
export function makeReferenceFiles(folder: string): void {
	write(join(folder, 'robot.usda'), robotText);
	write(join(folder, 'references.usda'), () => referencesText(''));
	write(join(folder, 'instances.usda'), () => referencesText('        instanceable = true\n'));
}

function write(path: string, text: () => string): void {
	if (!existsSync(path)) writeFileSync(path, text());
}

function robotText(): string {
	let text =
		'#usda 1.0\n(\n    defaultPrim = "Robot"\n)\n\ndef Xform "Robot" (\n    prepend apiSchemas = ["PhysicsArticulationRootAPI"]\n)\n{\n';
	for (let i = 0; i < (ROBOT_PRIMS - 1) / 2; i++) {
		text +=
			`    def Cube "Link_${i}" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI"]\n    )\n    {\n` +
			`        double size = ${formatG(0.1 + i * 0.01, 6)}\n        double3 xformOp:translate = (${i}, 0, 0)\n` +
			'        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n' +
			`    def PhysicsRevoluteJoint "Joint_${i}"\n    {\n        rel physics:body0 = </Robot/Link_${Math.max(i - 1, 0)}>\n` +
			`        rel physics:body1 = </Robot/Link_${i}>\n        float physics:lowerLimit = -90\n    }\n`;
	}
	return `${text}}\n`;
}

function referencesText(extra: string): string {
	let text = '#usda 1.0\n(\n    defaultPrim = "World"\n)\n\ndef Xform "World"\n{\n';
	for (let i = 0; i < REFERENCES; i++) {
		text +=
			`    def "R_${i}" (\n${extra}        prepend references = @./robot.usda@\n    )\n    {\n` +
			`        double3 xformOp:translate = (${i % 32}, ${Math.floor(i / 32)}, 0)\n` +
			'        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n';
	}
	return `${text}}\n`;
}
