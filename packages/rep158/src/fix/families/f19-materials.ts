import { makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import { boundMaterial } from '@manyworlds/usd/internal';
import { hasSchema, isCollider, readNumber } from '../../asset/read-values.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applySchema, definingSite, propertySite, schemaSite, setAttribute, setTargets } from '../engine/sites.ts';
import { layerOfRole } from '../layers/layer-of-role.ts';

const MATERIAL = 'PhysicsMaterialAPI';
const BINDING = 'material:binding:physics';
const VALUES = ['staticFriction', 'dynamicFriction', 'restitution'] as const;

/** F19: every collider bound, for the purpose of physics, to a material that says its friction and restitution. */
export const MATERIALS: Fixer = {
	family: 'F19',
	title: 'physics materials bound and complete',
	rules: ['R1.3.4.1', 'R1.3.4.2', 'R1.3.4.3'],
	safety: 'safe',
	changes: ['friction'],
	apply(session) {
		eachPrim(session, isCollider, (prim) => bindMaterial(session, prim));
		const isBound = (prim: Prim): boolean => prim.relationship(BINDING).targets().length > 0;
		eachPrim(session, isBound, (prim) => {
			if (!prim.hasSchema('MaterialBindingAPI')) applyBinding(session, prim);
		});
		const isMaterial = (prim: Prim): boolean => hasSchema(prim, MATERIAL);
		eachPrim(session, isMaterial, (prim) => completeMaterial(session, prim, (name) => session.parameters[name]));
	},
};

/** F19, with what schemas say: numbers that nobody authors are 0. */
export const MATERIAL_NUMBERS: Fixer = {
	family: 'F19',
	title: 'numbers of physics materials that schemas give',
	rules: ['R1.3.4.2'],
	safety: 'unsafe',
	apply(session) {
		const isMaterial = (prim: Prim): boolean => hasSchema(prim, MATERIAL);
		eachPrim(session, isMaterial, (prim) => {
			completeMaterial(session, prim, (name) => readNumber(prim, `physics:${name}`) ?? 0);
		});
	},
};

/** Makes what is bound for all purposes, or a new material, the physics material of a collider. */
function bindMaterial(session: FixSession, collider: Prim): void {
	const bound = boundMaterial(collider, 'physics');
	if (bound?.binding.name.includes('physics')) {
		if (!hasSchema(bound.material, MATERIAL)) {
			session.refuse('R1.3.4.1', `it is bound to <${bound.material.path}>, which is no physics material`, {
				prim: collider,
			});
		}
		return;
	}
	if (bound !== undefined && hasSchema(bound.material, MATERIAL)) {
		const owner = bound.binding.prim;
		if (bound.binding.name === 'material:binding') bind(session, 'R1.3.4.3', owner, bound.material.path);
		else bind(session, 'R1.3.4.3', collider, bound.material.path);
		return;
	}
	if (collider.relationship(BINDING).targets().length > 0) {
		session.refuse('R1.3.4.1', `${BINDING} leads to no material`, { prim: collider });
		return;
	}
	const material = givenMaterial(session, collider);
	if (material !== undefined) bind(session, 'R1.3.4.1', session.stage.prim(collider.path)!, material);
}

/** A binding counts only with the schema. */
function applyBinding(session: FixSession, prim: Prim): void {
	applySchema(session, 'R1.3.4.3', prim, 'MaterialBindingAPI', propertySite(session, prim, BINDING));
}

function bind(session: FixSession, rule: 'R1.3.4.1' | 'R1.3.4.3', prim: Prim, material: Path): void {
	const site =
		schemaSite(session, prim, 'PhysicsCollision') ??
		schemaSite(session, prim, 'MaterialBinding') ??
		definingSite(session, prim);
	applySchema(session, rule, prim, 'MaterialBindingAPI', site);
	setTargets(session, rule, session.stage.prim(prim.path)!, BINDING, [material], { site });
}

/** The material with the given numbers, made when it is first needed. */
function givenMaterial(session: FixSession, collider: Prim): Path | undefined {
	const root = session.stage.defaultPrim;
	const numbers = VALUES.map((name) => session.parameters[name]);
	if (root === undefined || numbers.some((value) => value === undefined)) {
		const missing = VALUES.filter((_, i) => numbers[i] === undefined).map((name) => kebab(name));
		const option = missing.map((name) => `${name} NUMBER`).join(' --');
		session.ask('R1.3.4.1', option, 'the collider has no physics material', { prim: collider });
		return undefined;
	}
	const path = root.path.appendChild('PhysicsMaterials').appendChild('Default');
	if (session.stage.prim(path) !== undefined) return path;
	const target = layerOfRole(session, 'physics') ?? session.rootLayer;
	session.edit('R1.3.4.1', target, () => {
		if (target.field(path.parent!, 'specifier')?.data !== 'def') {
			target.createPrim(path.parent!, { specifier: 'def', typeName: 'Scope' });
		}
		target.createPrim(path, { specifier: 'def', typeName: 'Material' });
	});
	applySchema(session, 'R1.3.4.1', session.stage.prim(path)!, MATERIAL);
	VALUES.forEach((name, i) => {
		const value = makeValue(T.float, Math.fround(numbers[i]!)) as Value;
		setAttribute(session, 'R1.3.4.1', session.stage.prim(path)!, `physics:${name}`, value, { typeName: 'float' });
	});
	return path;
}

/** Says numbers that a material does not. */
function completeMaterial(
	session: FixSession,
	prim: Prim,
	numberOf: (name: (typeof VALUES)[number]) => number | undefined,
): void {
	if (prim.typeName !== 'Material') return;
	refuseRanges(session, prim);
	const site = schemaSite(session, prim, MATERIAL);
	for (const name of VALUES) {
		const attribute = `physics:${name}`;
		const number = numberOf(name);
		if (number === undefined || prim.attribute(attribute).hasAuthoredValue) continue;
		const value = makeValue(T.float, Math.fround(number)) as Value;
		setAttribute(session, 'R1.3.4.2', session.stage.prim(prim.path)!, attribute, value, { typeName: 'float', site });
	}
}

/** Numbers that no material has are somebody's mistake. */
function refuseRanges(session: FixSession, prim: Prim): void {
	const [still, moving, bounce] = VALUES.map((name) => readNumber(prim, `physics:${name}`) ?? 0) as [
		number,
		number,
		number,
	];
	const isPossible = still >= 0 && moving >= 0 && moving <= still && bounce >= 0 && bounce <= 1;
	const shown = `friction ${still} and ${moving}, restitution ${bounce}`;
	if (!isPossible)
		session.refuse('R1.3.4.2', `${shown} belong to no material; the right numbers are not told`, { prim });
}

function kebab(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
