import type { Model } from '@manyworlds/model';
import type { TemplateWorld } from './template-world.ts';

/**
 * Bodies of the compiled world whose centre of mass or inertia is another one in some world. MuJoCo stores bodies whose
 * inertial frame is their own in a simpler way, which only holds while that is so.
 */
export function bodiesOfUnequalInertia(model: Model, template: TemplateWorld): number[] {
	if (template.world < 0) return [];
	const start = model.bodyWorldStart[template.world]!;
	const bodies: number[] = [];
	for (const body of template.bodies) {
		for (let world = 0; world < model.worldCount; world++) {
			if (hasSameInertia(model, body, model.bodyWorldStart[world]! + body - start)) continue;
			bodies.push(body);
			break;
		}
	}
	return bodies;
}

function hasSameInertia(model: Model, a: number, b: number): boolean {
	if (a === b) return true;
	for (let i = 0; i < 3; i++) if (model.bodyCom[3 * a + i] !== model.bodyCom[3 * b + i]) return false;
	for (let i = 0; i < 9; i++) if (model.bodyInertia[9 * a + i] !== model.bodyInertia[9 * b + i]) return false;
	return true;
}
