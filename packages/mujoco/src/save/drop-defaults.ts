import type { MjcfElement } from '@manyworlds/formats';
import { UNLIMITED } from '@manyworlds/model';

const SOLREF = '0.02 1';
const SOLIMP = '0.9 0.95 0.001 0.5 2';
const ORIGIN = '0 0 0';
const UNTURNED = '1 0 0 0';

/** What MuJoCo takes for attributes that are left out, as this package writes it. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	option: {
		gravity: '0 0 -9.81',
		integrator: 'Euler',
		solver: 'Newton',
		cone: 'pyramidal',
		jacobian: 'auto',
		iterations: '100',
		ls_iterations: '50',
		ccd_iterations: '35',
		sdf_iterations: '10',
		sdf_initpoints: '40',
		impratio: '1',
		tolerance: '1e-8',
		ls_tolerance: '0.01',
		ccd_tolerance: '0.000001',
		sleep_tolerance: '0.001',
		density: '0',
		viscosity: '0',
		wind: ORIGIN,
		magnetic: '0 -0.5 0',
	},
	compiler: { autolimits: 'true', inertiafromgeom: 'auto' },
	body: { pos: ORIGIN, quat: UNTURNED },
	geom: {
		type: 'sphere',
		pos: ORIGIN,
		quat: UNTURNED,
		contype: '1',
		conaffinity: '1',
		condim: '3',
		group: '0',
		priority: '0',
		friction: '1 0.005 0.0001',
		solref: SOLREF,
		solimp: SOLIMP,
		solmix: '1',
		margin: '0',
		gap: '0',
		rgba: '0.5 0.5 0.5 1',
	},
	site: { type: 'sphere', pos: ORIGIN, quat: UNTURNED },
	joint: {
		type: 'hinge',
		pos: ORIGIN,
		armature: '0',
		frictionloss: '0',
		damping: '0',
		stiffness: '0',
		margin: '0',
		actuatorgravcomp: 'false',
		solimplimit: SOLIMP,
		solreffriction: SOLREF,
		solimpfriction: SOLIMP,
		springref: '0',
		ref: '0',
	},
	connect: { active: 'true', solref: SOLREF, solimp: SOLIMP },
	weld: { active: 'true', solref: SOLREF, solimp: SOLIMP, anchor: ORIGIN, torquescale: '1' },
	fixed: {},
	spatial: {},
	pair: { condim: '3', solref: SOLREF, solimp: SOLIMP, margin: '0', gap: '0', friction: '1 1 0.005 0.0001 0.0001' },
	general: {
		gear: '1 0 0 0 0 0',
		dyntype: 'none',
		gaintype: 'fixed',
		biastype: 'none',
		dynprm: '1 0 0 0 0 0 0 0 0 0',
		gainprm: '1 0 0 0 0 0 0 0 0 0',
		biasprm: '0 0 0 0 0 0 0 0 0 0',
		actearly: 'false',
		cranklength: '0',
	},
	position: { gear: '1 0 0 0 0 0' },
	velocity: { gear: '1 0 0 0 0 0' },
};

/** Attributes of tendons, and of the joints of equalities, that differ from those of the tag elsewhere. */
const TENDON: Readonly<Record<string, string>> = {
	stiffness: '0',
	damping: '0',
	frictionloss: '0',
	margin: '0',
	armature: '0',
	solreflimit: SOLREF,
	solimplimit: SOLIMP,
	solreffriction: SOLREF,
	solimpfriction: SOLIMP,
	springlength: '-1 -1',
};

/** Limits that follow from their range being there, with `autolimits`. */
const LIMITS: readonly (readonly [flag: string, range: string])[] = [
	['limited', 'range'],
	['ctrllimited', 'ctrlrange'],
	['forcelimited', 'forcerange'],
	['actlimited', 'actrange'],
	['actuatorfrclimited', 'actuatorfrcrange'],
];

/** Range of a joint without limits. */
const UNLIMITED_RANGE = `${-UNLIMITED} ${UNLIMITED}`;

/** Numbers of `size` that each type of geom uses. */
const SIZES: Readonly<Record<string, number>> = { sphere: 1, capsule: 2, cylinder: 2 };

/** Leaves out what MuJoCo takes anyway, so that a document shows what is special about its model. */
export function dropDefaults(root: MjcfElement): void {
	const hasAutolimits = root.child('compiler')?.get('autolimits') !== 'false';
	const visit = (element: MjcfElement, parent: string): void => {
		if (parent === 'equality' && element.name === 'joint')
			drop(element, { ...DEFAULTS['connect'], polycoef: '0 1 0 0 0' });
		else if (element.name === 'fixed' || element.name === 'spatial') drop(element, TENDON);
		else if (parent !== 'fixed') trim(element, parent);
		if (hasAutolimits) dropLimits(element);
		for (const child of element.children) visit(child, element.name);
	};
	visit(root, '');
}

function trim(element: MjcfElement, parent: string): void {
	if (element.name === 'geom') {
		const used = SIZES[element.get('type') ?? 'sphere'];
		const size = element.get('size');
		if (used !== undefined && size !== undefined) element.set('size', size.split(' ').slice(0, used).join(' '));
	}
	if (parent === 'tendon') return;
	drop(element, DEFAULTS[element.name] ?? {});
	// trailing zeros of parameters are what is left out
	for (const name of ['gear', 'gainprm', 'biasprm', 'dynprm']) {
		const value = element.get(name);
		if (value !== undefined) element.set(name, value.replace(/( 0)+$/, ''));
	}
}

function drop(element: MjcfElement, defaults: Readonly<Record<string, string>>): void {
	for (const [name, value] of Object.entries(defaults)) {
		if (element.get(name) === value) element.delete(name);
	}
}

function dropLimits(element: MjcfElement): void {
	for (const [flag, range] of LIMITS) {
		const state = element.get(flag);
		if (state === undefined) continue;
		// of joints the model only knows the range
		const isImplied = state === 'true' && element.name === 'joint' && element.has(range);
		if (state === 'auto' || isImplied) element.delete(flag);
		const value = element.get(range);
		// ranges that stand for none say nothing
		if (state === 'false' && (value === undefined || value === UNLIMITED_RANGE)) {
			element.delete(range);
			element.delete(flag);
		}
		if (state === 'auto' && value === '0 0') element.delete(range);
	}
}
