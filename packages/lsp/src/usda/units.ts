import type { Stage } from '@manyworlds/usd';

/** Units of attributes of UsdPhysics and others, by the end of their names; `length` and `mass` are those of the stage. */
const UNITS: readonly (readonly [name: RegExp, unit: string])[] = [
	[/^physics:mass$/, 'mass'],
	[/^physics:density$/, 'mass/length³'],
	[/^physics:centerOfMass$/, 'length'],
	[/^physics:diagonalInertia$/, 'mass·length²'],
	[/^physics:(?:lower|upper)Limit$/, 'degrees, or length for prismatic joints'],
	[/^physics:angularVelocity$/, 'degrees/s'],
	[/^physics:velocity$/, 'length/s'],
	[/^physics:gravityMagnitude$/, 'length/s²'],
	[/^physics:localPos[01]$/, 'length'],
	[/^xformOp:translate/, 'length'],
	[/^xformOp:rotate/, 'degrees'],
	[/^(?:radius|height|size|length|width)$/, 'length'],
	[/^inputs:angle$/, 'degrees'],
];

/** The unit of a property, with the lengths and masses of the stage; undefined when it is not known. */
export function unitOf(name: string, stage: Stage): string | undefined {
	const unit = UNITS.find(([pattern]) => pattern.test(name))?.[1];
	if (unit === undefined) return undefined;
	const metres = Number(stage.metadata('metersPerUnit')?.data ?? 0.01);
	const kilograms = Number(stage.metadata('kilogramsPerUnit')?.data ?? 1);
	return unit
		.replaceAll('length', metres === 1 ? 'm' : `(${metres} m)`)
		.replaceAll('mass', kilograms === 1 ? 'kg' : `(${kilograms} kg)`);
}
