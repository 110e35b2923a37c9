import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Report } from '@manyworlds/core';
import { importMjcf, importUrdf, importUsd, SCHEMA_RESOLVER_MJC, SCHEMA_RESOLVER_NEWTON } from '@manyworlds/import';
import { JointType, type Model, ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import { CompiledModel, convertModel, doubleField, intField, loadMujoco } from '@manyworlds/mujoco/internal';
import { Stage } from '@manyworlds/usd';
import { DiskStore } from '../../src/disk-store.ts';
import { walkFiles } from '../../src/files.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { join as joinProblems } from '../model-builders/program-case.ts';

/** Robots that a folder has in several formats: files whose moving joints have the same names. */
export const mujocoFormats: Suite = {
	name: 'mujoco/formats',
	description: 'one robot as MJCF, URDF and USD, imported, converted and compiled',
	defaultDir: 'assets',
	groups: [
		{
			name: 'pairs',
			description: 'total mass, joint limits, places of centres of mass and mass matrix, by names of joints',
			tolerance:
				'masses 1e-6 and limits 2e-6 relative, places 1e-5 m, mass matrix without armature 1e-4 of its largest entry; USD holds single precision',
			timeLimit: 120,
			cases: pairCases,
		},
	],
};

function* pairCases(context: SuiteContext): Generator<Case> {
	const byJoints = new Map<string, { name: string; robot: Robot }[]>();
	for (const path of walkFiles(context.dir)) {
		const name = path.slice(context.dir.length + 1);
		if (!isRobotFile(path)) continue;
		const robot = openRobot(path);
		// robots of a single joint have nothing to be recognised by
		if (robot === undefined || robot.joints.size < 2) continue;
		const key = [...robot.joints.keys()].sort().join(' ');
		byJoints.set(key, [...(byJoints.get(key) ?? []), { name, robot }]);
	}
	for (const robots of byJoints.values()) {
		for (const [i, a] of robots.entries()) {
			for (const b of robots.slice(i + 1)) {
				if (a.robot.format === b.robot.format) continue;
				yield { name: `${a.name} and ${b.name}`, run: () => compareRobots(a.robot, b.robot) };
			}
		}
	}
}

/** Entry files: URDF and MJCF that have joints, and USD layers that are not the parts of another. */
function isRobotFile(path: string): boolean {
	if (/\/(payload|newton-tests)\//i.test(path)) return false;
	if (/\.(urdf|usda)$/i.test(path)) return true;
	return /\.xml$/i.test(path) && /<mujoco[\s>]/.test(readFileSync(path, 'utf8'));
}

interface Robot {
	readonly format: 'mjcf' | 'urdf' | 'usd';
	readonly model: Model;
	/** Joint with one axis of each name. */
	readonly joints: ReadonlyMap<string, number>;
}

/** Imports a robot with its base held, without shapes; undefined when it cannot be read. */
function openRobot(path: string): Robot | undefined {
	const builder = new ModelBuilder({ gravity: [0, 0, 0] });
	registerMujocoAttributes(builder);
	const report = new Report();
	const store = new DiskStore();
	const format = /\.urdf$/i.test(path) ? 'urdf' : /\.xml$/i.test(path) ? 'mjcf' : 'usd';
	const shared = { store, file: path, report, floating: false };
	try {
		if (format === 'urdf') importUrdf(new Uint8Array(readFileSync(path)), builder, shared);
		else if (format === 'mjcf')
			importMjcf(new Uint8Array(readFileSync(path)), builder, { ...shared, parseMeshes: true });
		else {
			const stage = Stage.open(store.open(path), { store, report });
			importUsd(stage, builder, {
				schemaResolvers: [SCHEMA_RESOLVER_NEWTON, SCHEMA_RESOLVER_MJC],
				report,
				floating: false,
			});
		}
		const model = builder.finalize({ skipValidation: true });
		model.shapeFlags.fill(0);
		return { format, model, joints: scalarJoints(model) };
	} catch (error) {
		// files that no importer takes are the business of other suites
		if (error instanceof RangeError || error instanceof Error) return undefined;
		throw error;
	}
}

function scalarJoints(model: Model): Map<string, number> {
	const joints = new Map<string, number>();
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint];
		if (model.jointArticulation[joint]! < 0 || (type !== JointType.REVOLUTE && type !== JointType.PRISMATIC)) continue;
		joints.set(basename(model.jointLabels[joint]!).replace(/\W/g, '_'), joint);
	}
	return joints;
}

async function compareRobots(a: Robot, b: Robot): Promise<Outcome> {
	const problems: string[] = [];
	const differ = (what: string, x: number, y: number, relative: number, absolute: number): void => {
		if (Math.abs(x - y) <= absolute + relative * Math.abs(x)) return;
		if (problems.length < 6) problems.push(`${what} is ${x} and ${y}`);
	};
	const names = [...a.joints.keys()].sort();
	const [first, second] = [await measure(a, names), await measure(b, names)];
	differ('moving mass [kg]', first.mass, second.mass, 1e-6, 0);
	for (const [i, name] of names.entries()) {
		for (const side of ['jointLimitLower', 'jointLimitUpper'] as const) {
			const [x, y] = [a, b].map(({ model, joints }) => model[side][model.jointQdStart[joints.get(name)!]!]!);
			differ(`${side} of ${name}`, x!, y!, 2e-6, 1e-6);
		}
		for (let k = 0; k < 3; k++)
			differ(`centre of mass behind ${name}`, first.places[3 * i + k]!, second.places[3 * i + k]!, 0, 1e-5);
		for (let j = 0; j < names.length; j++) {
			const at = i * names.length + j;
			differ(`mass matrix of ${name} and ${names[j]}`, first.matrix[at]!, second.matrix[at]!, 0, 1e-4 * first.largest);
		}
	}
	return joinProblems(problems);
}

interface Measured {
	/** Of bodies that move [kg]. */
	readonly mass: number;
	/** Centre of mass of everything behind each joint, in the frame of the body before the first one [m]. */
	readonly places: Float64Array;
	readonly matrix: Float64Array;
	readonly largest: number;
}

/** Compiles a robot and measures it with its joints turned by a few tenths, in the order of the names. */
async function measure({ model, joints }: Robot, names: readonly string[]): Promise<Measured> {
	const module = await loadMujoco();
	const compiled = new CompiledModel(module, convertModel(model));
	const { mj, data, maps } = compiled;
	const full = new module.DoubleBuffer(mj.nv * mj.nv);
	try {
		const state = model.createState();
		state.jointQ.set(model.jointQ);
		const dofs = names.map((name, i) => {
			const joint = joints.get(name)!;
			state.jointQ[model.jointQStart[joint]!] = 0.1 + 0.2 * Math.sin(1 + i);
			return Array.from(maps.dof).indexOf(model.jointQdStart[joint]!);
		});
		state.jointQd.fill(0);
		compiled.coordinates.push(0, state, doubleField(data, 'qpos'), doubleField(data, 'qvel'));
		module.mj_forward(mj, data);
		module.mj_fullM(mj, data, full);
		const view = full.GetView() as Float64Array;
		const matrix = new Float64Array(names.length ** 2);
		const armature = doubleField(mj, 'dof_armature');
		for (const [i, row] of dofs.entries()) {
			for (const [j, column] of dofs.entries()) {
				matrix[i * names.length + j] = view[row * mj.nv + column]! - (row === column ? armature[row]! : 0);
			}
		}
		const bodies = names.map((name) => Array.from(maps.body).indexOf(model.jointChild[joints.get(name)!]!));
		const weld = intField(mj, 'body_weldid');
		const bodyMass = doubleField(mj, 'body_mass');
		const dofCount = intField(mj, 'body_dofnum');
		let mass = 0;
		for (let id = 1; id < mj.nbody; id++) if (dofCount[weld[id]!]! > 0) mass += bodyMass[id]!;
		const base = model.jointParent[joints.get(names[0]!)!]! < 0 ? 0 : rootOf(intField(mj, 'body_parentid'), bodies[0]!);
		return { mass, places: placesIn(compiled, base, bodies), matrix, largest: Math.max(...matrix.map(Math.abs)) };
	} finally {
		full.delete();
		compiled.dispose();
	}
}

function rootOf(parents: Int32Array, body: number): number {
	let root = body;
	while (parents[root]! > 0) root = parents[root]!;
	return root;
}

function placesIn({ data }: CompiledModel, base: number, bodies: readonly number[]): Float64Array {
	const centres = doubleField(data, 'subtree_com');
	const [origin, axes] = [doubleField(data, 'xpos'), doubleField(data, 'xmat')];
	const places = new Float64Array(3 * bodies.length);
	for (const [i, body] of bodies.entries()) {
		for (let k = 0; k < 3; k++) {
			for (let m = 0; m < 3; m++) {
				places[3 * i + k]! += axes[9 * base + 3 * m + k]! * (centres[3 * body + m]! - origin[3 * base + m]!);
			}
		}
	}
	return places;
}
