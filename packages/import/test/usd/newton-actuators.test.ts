import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

const cube = (name: string, x: number): string =>
	`def Cube "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {\ndouble3 xformOp:translate = (${x}, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n}\n`;
const joint = (name: string, type: string, from: string, to: string): string =>
	`def Physics${type}Joint "${name}" {\nrel physics:body0 = </${from}>\nrel physics:body1 = </${to}>\n}\n`;
const ROBOT = [
	...[cube('a', 0), cube('b', 3), cube('c', 6), cube('d', 9)],
	...[joint('ball', 'Spherical', 'a', 'b'), joint('first', 'Revolute', 'b', 'c'), joint('hinge', 'Revolute', 'c', 'd')],
].join('');
const actuator = (apis: readonly string[], settings: string, target = 'rel newton:targets = </hinge>'): string =>
	`def NewtonActuator "act" (prepend apiSchemas = [${['Other', ...apis].map((api) => `"${api}"`).join(', ')}]) {\n${target}\n${settings}\n}\n`;

function read(text: string) {
	const { result, findings } = importText(ROBOT + text);
	const fates = result.ledger.entries().filter(({ path }) => path === '/act');
	return { actuators: result.actuators, findings, fates, joint: result.pathJointMap.get('/hinge')! };
}

describe('actuators of Newton', () => {
	const PD = 'NewtonPDControlAPI';

	it('drive the freedom of their joint by gains', () => {
		const found = read(
			actuator([PD], 'float newton:kp = 2\nfloat newton:kd = 3\nfloat newton:constEffort = 4\nfloat other:kp = 5'),
		);
		expect(found.findings).toEqual([]);
		const [only] = found.actuators;
		expect(only).toMatchObject({ path: '/act', joint: found.joint, delaySteps: undefined, clamping: [] });
		expect(only!.control).toEqual({ type: 'pd', kp: 2, kd: 3, constEffort: 4 });
		// after the other hinge
		expect([only!.dof, only!.coord]).toEqual([1, 1]);
		expect(
			found.fates
				.filter(({ targets }) => targets.includes('actuators'))
				.map(({ name }) => name)
				.sort(),
		).toEqual(['newton:constEffort', 'newton:kd', 'newton:kp']);
		// the prim is imported, this attribute of it is not
		const other = found.fates.find(({ name }) => name === 'other:kp');
		expect(other).toMatchObject({ class: 'ignored', reason: 'nothing in a model holds it' });
	});

	it.each([
		['nothing said', PD, '', { type: 'pd', kp: 0, kd: 0, constEffort: 0 }],
		[
			'an integral',
			'NewtonPIDControlAPI',
			'float newton:ki = 6\nfloat newton:integralMax = 7',
			{ type: 'pid', kp: 0, kd: 0, constEffort: 0, ki: 6, integralMax: 7 },
		],
		[
			'an integral without bounds',
			'NewtonPIDControlAPI',
			'float newton:kp = 1',
			{ type: 'pid', kp: 1, kd: 0, constEffort: 0, ki: 0, integralMax: Number.POSITIVE_INFINITY },
		],
		[
			'a network',
			'NewtonNeuralControlAPI',
			'asset newton:modelPath = @net.onnx@',
			{ type: 'neural', modelPath: 'net.onnx' },
		],
		['a network without a file', 'NewtonNeuralControlAPI', '', { type: 'neural', modelPath: '' }],
	])('control with %s', (_, api, settings, expected) => {
		expect(read(actuator([api], settings)).actuators[0]!.control).toEqual(expected);
	});

	it('have bounds in the order of their schemas, infinite where nothing is said', () => {
		const bounds = ['NewtonPositionBasedClampingAPI', 'NewtonDCMotorClampingAPI', 'NewtonMaxEffortClampingAPI'];
		const settings =
			'float newton:maxEffort = 1\nfloat newton:maxMotorEffort = 2\nfloat newton:saturationEffort = 3\nfloat newton:velocityLimit = 4\nfloat[] newton:lookupPositions = [5, 6]\nfloat[] newton:lookupEfforts = [7, 8]';
		expect(read(actuator([PD, ...bounds], settings)).actuators[0]!.clamping).toEqual([
			{ type: 'positionBased', lookupPositions: [5, 6], lookupEfforts: [7, 8] },
			{ type: 'dcMotor', maxMotorEffort: 2, saturationEffort: 3, velocityLimit: 4 },
			{ type: 'maxEffort', maxEffort: 1 },
		]);
		const most = Number.POSITIVE_INFINITY;
		expect(read(actuator([...bounds, PD], '')).actuators[0]!.clamping).toEqual([
			{ type: 'positionBased', lookupPositions: [], lookupEfforts: [] },
			{ type: 'dcMotor', maxMotorEffort: most, saturationEffort: most, velocityLimit: most },
			{ type: 'maxEffort', maxEffort: most },
		]);
	});

	it.each([
		[[], 'int newton:delaySteps = 3', undefined],
		[['NewtonActuatorDelayAPI'], 'int newton:delaySteps = 3', 3],
		[['NewtonActuatorDelayAPI'], '', 1],
		[['NewtonActuatorDelayAPI'], 'int newton:delaySteps = 0', undefined],
		[['NewtonActuatorDelayAPI'], 'int newton:delaySteps = -2', undefined],
	])('come late by steps: %j %s', (apis, settings, expected) => {
		expect(read(actuator([PD, ...apis], settings)).actuators[0]!.delaySteps).toBe(expected);
	});

	it.each([
		['no target', [PD], '', 'IMP083 /act.newton:targets'],
		['no joint', [PD], 'rel newton:targets = </a>', 'IMP083 /act.newton:targets'],
		['three freedoms', [PD], 'rel newton:targets = </ball>', 'IMP083 /act.newton:targets'],
		['no control', [], 'rel newton:targets = </hinge>', 'IMP083 /act'],
		['two controls', [PD, 'NewtonPIDControlAPI'], 'rel newton:targets = </hinge>', 'IMP083 /act'],
	])('are left out and told with %s', (_, apis, target, expected) => {
		const found = read(actuator(apis, '', target));
		expect(found.findings).toEqual([expected]);
		expect(found.actuators).toEqual([]);
	});

	it('with several targets drive the first', () => {
		const found = read(actuator([PD], '', 'rel newton:targets = [</hinge>, </ball>]'));
		expect(found.findings).toEqual(['IMP082 /act.newton:targets']);
		expect(found.actuators.map(({ joint: driven }) => driven)).toEqual([found.joint]);
	});
});
