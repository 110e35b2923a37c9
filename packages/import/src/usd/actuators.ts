import type { Prim } from '@manyworlds/usd';
import { isUsualPrim, traverse } from '@manyworlds/usd/internal';
import type { ImportContext } from './context.ts';
import { hasApi } from './joint-values.ts';
import { asNumber, asNumbers, attributeValue, type PlainValue } from './plain-value.ts';

/** How an actuator computes its effort from the error of its joint. SI units and radians. @public */
export type ActuatorControl =
	| { readonly type: 'pd'; readonly constEffort: number; readonly kp: number; readonly kd: number }
	| {
			readonly type: 'pid';
			readonly constEffort: number;
			readonly kp: number;
			readonly kd: number;
			readonly ki: number;
			readonly integralMax: number;
	  }
	| { readonly type: 'neural'; readonly modelPath: string };

/** A bound on the effort of an actuator. @public */
export type ActuatorClamping =
	| { readonly type: 'maxEffort'; readonly maxEffort: number }
	| {
			readonly type: 'dcMotor';
			readonly maxMotorEffort: number;
			readonly saturationEffort: number;
			readonly velocityLimit: number;
	  }
	| {
			readonly type: 'positionBased';
			readonly lookupPositions: readonly number[];
			readonly lookupEfforts: readonly number[];
	  };

/** A Newton actuator: models have no place for these, so the result of an import holds them. @public */
export interface UsdActuator {
	readonly path: string;
	readonly joint: number;
	/** Degree of freedom that it pushes, and the coordinate of that. */
	readonly dof: number;
	readonly coord: number;
	readonly control: ActuatorControl;
	/** In the order in which the schemas are applied. */
	readonly clamping: readonly ActuatorClamping[];
	/** Steps by which commands come late; undefined without delay. */
	readonly delaySteps: number | undefined;
}

/** Schemas that say how an actuator computes its effort; exactly one is applied. */
const CONTROLLERS = ['NewtonPDControlAPI', 'NewtonPIDControlAPI', 'NewtonNeuralControlAPI'] as const;

/** Reads the Newton actuators of a stage; those that drive no joint, or several ways, are reported and left out. */
export function importActuators(ctx: ImportContext, root: Prim): UsdActuator[] {
	const found: UsdActuator[] = [];
	for (const prim of traverse(root, { instanceProxies: true, predicate: isUsualPrim })) {
		if (prim.typeName !== 'NewtonActuator' || ctx.isIgnored(prim.path.toString())) continue;
		const actuator = readActuator(ctx, prim);
		if (actuator !== undefined) found.push(actuator);
	}
	return found;
}

function readActuator(ctx: ImportContext, prim: Prim): UsdActuator | undefined {
	const refuse = (message: string, property?: string): undefined => {
		ctx.tell('IMP083', prim, message, property);
		return undefined;
	};
	const targets = prim.relationship('newton:targets').targets();
	const target = targets[0]?.toString();
	if (target === undefined) return refuse('newton:targets names no joint', 'newton:targets');
	if (targets.length > 1) {
		ctx.tell('IMP082', prim, `newton:targets names ${targets.length} prims; only <${target}> counts`, 'newton:targets');
	}
	const joint = ctx.joints.get(target);
	if (joint === undefined)
		return refuse(`newton:targets names <${target}>, which is no imported joint`, 'newton:targets');
	const sizes = ctx.builder.column('jointDofDim');
	const dofs = sizes[2 * joint]! + sizes[2 * joint + 1]!;
	if (dofs !== 1)
		return refuse(`newton:targets names a joint with ${dofs} degrees of freedom, expected one`, 'newton:targets');
	const controllers = CONTROLLERS.filter((schema) => hasApi(prim, schema));
	if (controllers.length !== 1) {
		return refuse(`${controllers.length} control schemas are applied, expected one of ${CONTROLLERS.join(', ')}`);
	}
	const path = prim.path.toString();
	for (const name of prim.authoredPropertyNames()) {
		if (name.startsWith('newton:')) ctx.ledger.keep(path, name, { target: 'actuators' });
	}
	ctx.mark(path, 'row');
	const delay = hasApi(prim, 'NewtonActuatorDelayAPI') ? (asNumber(attributeValue(prim, 'newton:delaySteps')) ?? 1) : 0;
	return {
		path,
		joint,
		dof: ctx.builder.column('jointQdStart')[joint]!,
		coord: ctx.builder.column('jointQStart')[joint]!,
		control: readControl(prim, controllers[0]!),
		clamping: readClamping(prim),
		delaySteps: delay > 0 ? delay : undefined,
	};
}

function readControl(prim: Prim, schema: (typeof CONTROLLERS)[number]): ActuatorControl {
	const number = (name: string, fallback: number = 0): number => readNumber(prim, name, fallback);
	const gains = { constEffort: number('constEffort'), kp: number('kp'), kd: number('kd') };
	switch (schema) {
		case 'NewtonPDControlAPI':
			return { type: 'pd', ...gains };
		case 'NewtonPIDControlAPI':
			return { type: 'pid', ...gains, ki: number('ki'), integralMax: number('integralMax', Number.POSITIVE_INFINITY) };
		case 'NewtonNeuralControlAPI': {
			const file: PlainValue | undefined = attributeValue(prim, 'newton:modelPath');
			return { type: 'neural', modelPath: typeof file === 'string' ? file : '' };
		}
	}
}

function readClamping(prim: Prim): ActuatorClamping[] {
	const number = (name: string): number => readNumber(prim, name, Number.POSITIVE_INFINITY);
	const list = (name: string): number[] => asNumbers(attributeValue(prim, `newton:${name}`)) ?? [];
	return (prim.authoredSchemas ?? []).flatMap((schema): ActuatorClamping[] => {
		switch (schema) {
			case 'NewtonMaxEffortClampingAPI':
				return [{ type: 'maxEffort', maxEffort: number('maxEffort') }];
			case 'NewtonDCMotorClampingAPI': {
				const [maxMotorEffort, saturationEffort] = [number('maxMotorEffort'), number('saturationEffort')];
				return [{ type: 'dcMotor', maxMotorEffort, saturationEffort, velocityLimit: number('velocityLimit') }];
			}
			case 'NewtonPositionBasedClampingAPI':
				return [
					{ type: 'positionBased', lookupPositions: list('lookupPositions'), lookupEfforts: list('lookupEfforts') },
				];
			default:
				return [];
		}
	});
}

function readNumber(prim: Prim, name: string, fallback: number): number {
	return asNumber(attributeValue(prim, `newton:${name}`)) ?? fallback;
}
