import type { Model } from '@manyworlds/model';
import type { TemplateWorld } from './template-world.ts';

/**
 * Whether centres of mass or inertias differ between worlds. MuJoCo stores bodies whose inertial frame is their own in a
 * simpler way, which only holds while that is so.
 */
export function needsGeneralInertia(model: Model, template: TemplateWorld): boolean {
	if (template.world < 0) return false;
	const start = model.bodyWorldStart[template.world]!;
	for (const body of template.bodies) {
		for (let world = 0; world < model.worldCount; world++) {
			if (!hasSameInertia(model, body, model.bodyWorldStart[world]! + body - start)) return true;
		}
	}
	return false;
}

/** Whether two bodies have the same centre of mass and inertia. */
export function hasSameInertia(model: Model, a: number, b: number): boolean {
	if (a === b) return true;
	for (let i = 0; i < 3; i++) if (model.bodyCom[3 * a + i] !== model.bodyCom[3 * b + i]) return false;
	for (let i = 0; i < 9; i++) if (model.bodyInertia[9 * a + i] !== model.bodyInertia[9 * b + i]) return false;
	return true;
}
