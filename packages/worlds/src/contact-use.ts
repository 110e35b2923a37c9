import { CONTACT_DEFAULTS, type ContactDefaultsName, type Model, ShapeFlags } from '@manyworlds/model';

/** Named contact defaults and the shapes that have them. */
export interface ContactUse {
	readonly name: ContactDefaultsName;
	/** [N/m] */
	readonly stiffness: number;
	/** [m] */
	readonly gap: number;
	/** Shapes that collide and have this stiffness, or this gap. */
	readonly shapeCount: number;
}

/**
 * What became of the contact defaults that a builder had. A model does not remember who gave a number, so shapes count that have
 * the numbers of the defaults, whoever gave them.
 */
export function contactUse(model: Model, name: ContactDefaultsName): ContactUse {
	const { ke, kd, gap } = CONTACT_DEFAULTS[name];
	const isLike = (own: number, value: number): boolean => Math.abs(own - value) <= 1e-9 * value;
	let shapeCount = 0;
	let stiffness = ke;
	for (let shape = 0; shape < model.shapeCount; shape++) {
		if ((model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) === 0) continue;
		const own = model.shapeMaterialKe[shape]!;
		// heavy worlds have stiffer ones, with a damping to match
		const hasGains = own >= ke && isLike(model.shapeMaterialKd[shape]!, kd * Math.sqrt(own / ke));
		if (hasGains) stiffness = Math.max(stiffness, own);
		if (hasGains || isLike(model.shapeGap[shape]!, gap)) shapeCount++;
	}
	return { name, stiffness, gap, shapeCount };
}

/** The same in words, such as `contacts: firm (1e+5 N/m, 1 mm gap) for 12 shapes that say nothing`. */
export function contactUseText({ name, stiffness, gap, shapeCount }: ContactUse): string {
	const force = stiffness >= 1e5 ? stiffness.toExponential().replace('+', '') : String(stiffness);
	const shapes = shapeCount === 1 ? '1 shape that says nothing' : `${shapeCount} shapes that say nothing`;
	return `contacts: ${name} (${force} N/m, ${Number((1000 * gap).toPrecision(4))} mm gap) for ${shapes}`;
}
