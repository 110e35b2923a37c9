import { existsSync, readFileSync } from 'node:fs';
import { importMjcf } from '@manyworlds/import';
import { JointTargetMode, type Model, ModelBuilder } from '@manyworlds/model';
import { anymalRecipe } from './sap-scenes.ts';

const G1 = new URL('../../../shared/assets/unitree_g1/g1_29dof_with_hand_rev_1_0.xml', import.meta.url);

/** Whether the file of the G1 is there. */
export const hasG1: boolean = existsSync(G1);

/** A model for `worlds` worlds and what is known about it. */
export interface MujocoScene {
	readonly name: string;
	/** For the title: what the scene is. */
	readonly words: string;
	/** Contacts of each world while it runs. */
	readonly contacts: number;
	/** World-steps that are timed at once, where they are so short that 64 of them are not enough. */
	readonly burst?: number;
	make(worlds: number): Model;
}

/** A robot of 30 degrees of freedom: a floating trunk on four legs of six hinges, whose feet are on the ground. */
export const ROBOT30: MujocoScene = {
	name: 'robot30',
	words: 'a standing robot of 30 degrees of freedom',
	contacts: 4,
	make: (worlds) => raise(replicate(robot30(), worlds, true), 0.6192),
};

/** A chain of thirty hinges in the air: nothing to find and to solve, so everything else counts most. */
export const CHAIN30: MujocoScene = {
	name: 'chain30',
	words: 'a hanging chain of thirty driven hinges',
	contacts: 0,
	make: (worlds) => replicate(chain30(), worlds, false),
};

/** A pendulum that swings. */
export const PENDULUM: MujocoScene = {
	name: 'pendulum',
	words: 'a pendulum',
	contacts: 0,
	burst: 16_384,
	make: (worlds) => swingFar(replicate(swing(false), worlds, false)),
};

/** A pole on a cart. */
export const CARTPOLE: MujocoScene = {
	name: 'cartpole',
	words: 'a pole on a cart',
	contacts: 0,
	burst: 16_384,
	make: (worlds) => swingFar(replicate(swing(true), worlds, false)),
};

/** ANYmal C on its feet, 18 degrees of freedom. */
export const ANYMAL: MujocoScene = {
	name: 'anymal',
	words: 'ANYmal C, standing: 18 degrees of freedom',
	contacts: 4,
	make: (worlds) => anymalRecipe().model(worlds),
};

/** A ball that lies on the ground. */
export const BALL: MujocoScene = {
	name: 'ball',
	words: 'a ball on the ground',
	contacts: 1,
	make: (worlds) => {
		const builder = new ModelBuilder({ rigidGap: 0 });
		builder.addShapeSphere(builder.addBody({ xform: { p: [0, 0, 0.0999] } }), { radius: 0.1 });
		return replicate(builder, worlds, true);
	},
};

/** The Unitree G1 with hands, 49 degrees of freedom, on the eight spheres of its feet. */
export const G1_STANDING: MujocoScene = {
	name: 'g1',
	words: 'the Unitree G1 with hands, standing: 49 degrees of freedom',
	contacts: 8,
	make: standingG1,
};

function standingG1(worlds: number): Model {
	const robot = new ModelBuilder({ rigidGap: 0 });
	importMjcf(readFileSync(G1, 'utf8'), robot, {
		file: 'g1.xml',
		parseMeshes: false,
		enableSelfCollisions: false,
		ignoreNames: ['floor'],
	});
	const model = replicate(robot, worlds, true);
	const dofs = model.jointDofCount / worlds;
	for (let dof = 0; dof < model.jointDofCount; dof++) {
		if (dof % dofs < 6) continue;
		model.jointTargetMode[dof] = JointTargetMode.POSITION;
		model.jointTargetKe[dof] = 500;
		model.jointTargetKd[dof] = 10;
		model.jointArmature[dof] = 0.01;
	}
	return raise(model, 0.7905);
}

/** Puts the first body of each world at a height, so that the feet are on the ground [m]. */
function raise(model: Model, height: number): Model {
	const coordinates = model.jointCoordCount / model.worldCount;
	for (let world = 0; world < model.worldCount; world++) model.jointQ[world * coordinates + 2] = height;
	return model;
}

function robot30(): ModelBuilder {
	const robot = new ModelBuilder({ rigidGap: 0 });
	const trunk = robot.addLink({ mass: 8, inertia: [0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.25] });
	const joints = [robot.addJointFree({ child: trunk })];
	for (const [x, y] of [
		[0.3, 0.15],
		[0.3, -0.15],
		[-0.3, 0.15],
		[-0.3, -0.15],
	] as const) {
		let parent = trunk;
		for (const [i, axis] of (['x', 'y', 'z', 'y', 'x', 'y'] as const).entries()) {
			const link = robot.addLink({ mass: 0.5, com: [0, 0, -0.05], inertia: [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 3e-4] });
			joints.push(
				robot.addJointRevolute({
					parent,
					child: link,
					axis,
					parentXform: { p: i === 0 ? [x, y, 0] : [0, 0, -0.1] },
					targetKe: 400,
					targetKd: 8,
					armature: 0.01,
					limitLower: -2,
					limitUpper: 2,
				}),
			);
			parent = link;
		}
		robot.addShapeSphere(parent, { radius: 0.02, xform: { p: [0, 0, -0.1] }, config: { density: 0 } });
	}
	robot.addArticulation(joints);
	return robot;
}

/** Turns the last joint of each world a radian away from hanging. */
function swingFar(model: Model): Model {
	const coordinates = model.jointCoordCount / model.worldCount;
	for (let world = 1; world <= model.worldCount; world++) model.jointQ[world * coordinates - 1] = 1;
	return model;
}

/** A rod on the world or on a cart. */
function swing(hasCart: boolean): ModelBuilder {
	const robot = new ModelBuilder();
	const joints: number[] = [];
	let parent = -1;
	if (hasCart) {
		parent = robot.addLink({ mass: 1, inertia: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01] });
		joints.push(robot.addJointPrismatic({ parent: -1, child: parent, axis: 'y' }));
	}
	const rod = robot.addLink({ mass: 0.5, com: [0, 0, -0.3], inertia: [0.02, 0, 0, 0, 0.02, 0, 0, 0, 0.001] });
	const hinge = robot.addJointRevolute({ parent, child: rod, axis: 'x' });
	robot.addArticulation([...joints, hinge]);
	return robot;
}

function chain30(): ModelBuilder {
	const chain = new ModelBuilder();
	const joints: number[] = [];
	let parent = -1;
	for (let i = 0; i < 30; i++) {
		const link = chain.addLink({ mass: 0.3, com: [0, 0, -0.05], inertia: [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 2e-4] });
		joints.push(
			chain.addJointRevolute({
				parent,
				child: link,
				axis: i % 2 === 0 ? 'x' : 'y',
				parentXform: { p: [0, 0, i === 0 ? 4 : -0.1] },
				targetKe: 50,
				targetKd: 1,
				armature: 0.01,
			}),
		);
		parent = link;
	}
	chain.addArticulation(joints);
	return chain;
}

function replicate(one: ModelBuilder, worlds: number, hasGround: boolean): Model {
	const scene = new ModelBuilder({ rigidGap: 0 });
	scene.replicate(one, { count: worlds });
	if (hasGround) scene.addGroundPlane();
	return scene.finalize();
}
