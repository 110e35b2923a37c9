import { type Prim, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import type { AttributeSpec } from '../../engine/spec-values.ts';

/** How a quantity depends on units: times metres per unit to one power, kilograms per unit to another. */
export interface UnitPowers {
	readonly length: number;
	readonly mass: number;
}

const LENGTH: UnitPowers = { length: 1, mass: 0 };
const NONE: UnitPowers = { length: 0, mass: 0 };
const MASS: UnitPowers = { length: 0, mass: 1 };
const DENSITY: UnitPowers = { length: -3, mass: 1 };
const INERTIA: UnitPowers = { length: 2, mass: 1 };
const FORCE: UnitPowers = { length: 1, mass: 1 };

/** Quantities by name, whatever prim has them. */
const BY_NAME: ReadonlyMap<string, UnitPowers> = new Map<string, UnitPowers>([
	...[
		'points',
		'extent',
		'extentsHint',
		'velocities',
		'accelerations',
		'positions',
		'widths',
		'clippingRange',
		'focusDistance',
		'focalLength',
		'horizontalAperture',
		'verticalAperture',
		'horizontalApertureOffset',
		'verticalApertureOffset',
		'inputs:radius',
		'inputs:width',
		'inputs:height',
		'inputs:length',
		'physics:localPos0',
		'physics:localPos1',
		'physics:centerOfMass',
		'physics:minDistance',
		'physics:maxDistance',
		'physics:velocity',
	].map((name) => [name, LENGTH] as const),
	['physics:mass', MASS],
	['physics:density', DENSITY],
	['physics:diagonalInertia', INERTIA],
	['newton:inertia', INERTIA],
	['physics:breakForce', FORCE],
	['physics:breakTorque', INERTIA],
	['physics:gravityMagnitude', LENGTH],
	...[
		'physics:angularVelocity',
		'physics:principalAxes',
		'physics:localRot0',
		'physics:localRot1',
		'physics:staticFriction',
		'physics:dynamicFriction',
		'physics:restitution',
		'physics:gravityDirection',
		'physics:coneAngle0Limit',
		'physics:coneAngle1Limit',
		'normals',
		'orientations',
		'orientationsf',
		'scales',
		'angularVelocities',
		'shutter:open',
		'shutter:close',
		'exposure',
		'fStop',
		'inputs:intensity',
		'inputs:exposure',
		'inputs:angle',
		'inputs:color',
		'inputs:colorTemperature',
	].map((name) => [name, NONE] as const),
]);

/** Sizes of shapes; the same words mean other things elsewhere. */
export const SIZES: ReadonlySet<string> = new Set([
	'radius',
	'height',
	'size',
	'width',
	'length',
	'radiusTop',
	'radiusBottom',
]);

const TURNING = /^(?:angular|rot[XYZ])$/;

/** How an attribute scales with units; undefined when nobody can tell, which is the case for custom numbers. */
export function unitPowers({ name, primType, prim, typeName }: AttributeSpec): UnitPowers | undefined {
	const known = BY_NAME.get(name);
	if (known !== undefined) return known;
	if (SIZES.has(name)) return prim === undefined || prim.isA('Gprim') || prim.isA('Boundable') ? LENGTH : undefined;
	if (/^xformOp:translate/.test(name)) return LENGTH;
	// rows 12 to 14 of a matrix are its translation: the caller treats it by itself
	if (/^xformOp:/.test(name)) return NONE;
	if (name === 'physics:lowerLimit' || name === 'physics:upperLimit') {
		return primType === 'PhysicsPrismaticJoint' ? LENGTH : NONE;
	}
	const limit = /^limit:([A-Za-z]+):physics:(?:low|high)$/.exec(name);
	if (limit !== null) return TURNING.test(limit[1]!) ? NONE : LENGTH;
	const drive = /^drive:([A-Za-z]+):physics:([A-Za-z]+)$/.exec(name);
	if (drive !== null) return drivePowers(drive[1]!, drive[2]!, prim);
	if (/^ros:/.test(name)) return NONE;
	if (/^ext_physics:/.test(name)) return extendedPowers(name, primType);
	if (/^primvars:/.test(name)) return /^(?:point|vector)3/.test(typeName) ? LENGTH : NONE;
	if (!isNumeric(typeName)) return NONE;
	return /^(?:physics|inputs|info|outputs|collection|material|ui):/.test(name) || !name.includes(':')
		? NONE
		: undefined;
}

function drivePowers(instance: string, what: string, prim: Prim | undefined): UnitPowers {
	const isTurning = TURNING.test(instance);
	const type = prim && dataOf(prim.attribute(`drive:${instance}:physics:type`).get(), T.token);
	switch (what) {
		case 'targetPosition':
		case 'targetVelocity':
			return isTurning ? NONE : LENGTH;
		case 'stiffness':
		case 'damping':
			if (type === 'acceleration') return NONE;
			return isTurning ? INERTIA : MASS;
		case 'maxForce':
			return isTurning ? INERTIA : FORCE;
		default:
			return NONE;
	}
}

/** ExtendedPhysics is in SI, but for offsets of joints that slide. */
function extendedPowers(name: string, primType: string): UnitPowers {
	return name === 'ext_physics:mimic:offset' && primType === 'PhysicsPrismaticJoint' ? LENGTH : NONE;
}

function isNumeric(typeName: string): boolean {
	return /^(?:half|float|double|point|vector|normal|matrix|frame)/.test(typeName);
}
