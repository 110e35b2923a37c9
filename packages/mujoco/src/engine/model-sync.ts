import { ModelFlags } from '@manyworlds/model';
import { hasRawLimit, isKinematic } from '../convert/add-bodies.ts';
import { DEFAULT_SOLREF, forceSpaceSolref, SolrefMode } from '../convert/solref.ts';
import { createDiagnostic } from '../diagnostics.ts';
import type { CompiledModel } from './compiled-model.ts';
import { writeConnectAnchors } from './connect-anchors.ts';
import { doubleField, intField } from './mj-fields.ts';
import { inWorld } from './model-maps.ts';
import { writeArmatures, writeWorld } from './write-world.ts';

/** Flags whose values feed what MuJoCo derives: inverse weights, lengths, damping ratios. */
const DERIVING_FLAGS =
	ModelFlags.JOINT_DOF_PROPERTIES |
	ModelFlags.BODY_PROPERTIES |
	ModelFlags.BODY_INERTIAL_PROPERTIES |
	ModelFlags.TENDON_PROPERTIES |
	ModelFlags.ACTUATOR_PROPERTIES;

/** What limits, friction and tendons are scaled by; contacts feel that a kinematic body does not give way. */
const INVERSE_WEIGHTS = ['dof_invweight0', 'tendon_invweight0'] as const;

/** Brings values of a model into the compiled one: those that MJCF cannot say, those of other worlds, and later edits. */
export class ModelSync {
	readonly #compiled: CompiledModel;
	/** Gains of each limit that the importer or the caller left alone: while they stay, MuJoCo's default stays. */
	readonly #untouchedGains: Float64Array;
	readonly #masks: Map<string, Int32Array> = new Map();

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
		this.#untouchedGains = importedGains(compiled);
	}

	/** What is left after compilation: values of single axes, authored zeros, and everything that derives from them. */
	completeTemplate(): void {
		const world = Math.max(this.#compiled.conversion.template.world, 0);
		writeWorld(this.#compiled, world, ModelFlags.JOINT_DOF_PROPERTIES);
		this.#writeMasslessBodies(world);
		this.#deriveConstants(world);
	}

	/** Writes what the flags name of one world, and derives what follows. */
	writeWorld(world: number, flags: number): void {
		writeWorld(this.#compiled, world, flags);
		if (flags & DERIVING_FLAGS) this.#deriveConstants(world);
		else if (flags & (ModelFlags.JOINT_PROPERTIES | ModelFlags.CONSTRAINT_PROPERTIES)) {
			writeConnectAnchors(this.#compiled, world);
		}
	}

	/** Lets MuJoCo find contacts or not; constraints of given contacts are not affected. */
	setCollision(isOn: boolean): void {
		const { mj } = this.#compiled;
		for (const name of ['geom_contype', 'geom_conaffinity', 'body_contype', 'body_conaffinity']) {
			const masks = intField(mj, name);
			const kept = this.#masks.get(name) ?? masks.slice();
			this.#masks.set(name, kept);
			if (isOn) masks.set(kept);
			else masks.fill(0);
		}
	}

	/** MuJoCo places the centre of a body without mass at the world's origin; the model says where it is. */
	#writeMasslessBodies(world: number): void {
		const { mj, maps, conversion } = this.#compiled;
		const { model } = conversion;
		const centres = doubleField(mj, 'body_ipos');
		for (let id = 0; id < mj.nbody; id++) {
			const body = inWorld(conversion, 'body', maps.body[id]!, world);
			if (body < 0 || model.bodyMass[body]! > 0) continue;
			centres.set(model.bodyCom.subarray(3 * body, 3 * body + 3), 3 * id);
		}
	}

	/**
	 * Recomputes what MuJoCo derives from masses and armatures, then what this package derives from that. The mean
	 * inertia, which scales the solver's tolerance, and the inverse weights of joints, which scale their limits, are taken
	 * without the armature that holds kinematic bodies.
	 */
	#deriveConstants(world: number): void {
		const { module, mj, data, statistics } = this.#compiled;
		if (this.#hasKinematicBodies(world)) {
			const bias = doubleField(mj, 'actuator_biasprm').slice();
			writeArmatures(this.#compiled, world, false);
			module.mj_setConst(mj, data);
			const { meaninertia } = statistics;
			const isKept = !this.#compiled.conversion.options.newtonCompat;
			const weights = isKept ? INVERSE_WEIGHTS.map((name) => doubleField(mj, name).slice()) : [];
			writeArmatures(this.#compiled, world);
			// a damping ratio that the first pass resolved must be resolved again
			doubleField(mj, 'actuator_biasprm').set(bias);
			module.mj_setConst(mj, data);
			for (const [i, own] of weights.entries()) doubleField(mj, INVERSE_WEIGHTS[i]!).set(own);
			statistics.meaninertia = meaninertia;
		} else module.mj_setConst(mj, data);
		this.#writeLimits(world);
		writeConnectAnchors(this.#compiled, world);
	}

	#hasKinematicBodies(world: number): boolean {
		const { maps, conversion } = this.#compiled;
		return maps.body.some((own) => {
			const body = inWorld(conversion, 'body', own, world);
			return body >= 0 && isKinematic(conversion, body);
		});
	}

	/** Parameters of the joint limits, which depend on the inverse weights. */
	#writeLimits(world: number): void {
		const { mj, maps, conversion } = this.#compiled;
		const { model, attributes } = conversion;
		const solref = doubleField(mj, 'jnt_solref');
		const solimp = doubleField(mj, 'jnt_solimp');
		const weights = doubleField(mj, 'dof_invweight0');
		const addresses = intField(mj, 'jnt_dofadr');
		const types = intField(mj, 'jnt_type');
		for (let id = 0; id < mj.njnt; id++) {
			if (maps.jointDof[id]! < 0) continue;
			const dof = inWorld(conversion, 'jointDof', maps.jointDof[id]!, world);
			if (hasRawLimit(conversion, dof)) this.#checkRaw(dof, attributes.row('solreflimit', dof, 2)!);
			// free and ball joints have no limits here
			if (types[id]! < SLIDE) continue;
			const mode = attributes.number('solreflimit_mode', dof) ?? SolrefMode.FORCE_SPACE;
			if (hasRawLimit(conversion, dof)) {
				solref.set(attributes.row('solreflimit', dof, 2)!, 2 * id);
			} else if (mode === SolrefMode.MJCF_DEFAULT && this.#isUntouched(dof)) {
				solref.set(DEFAULT_SOLREF, 2 * id);
			} else {
				const weight = weights[addresses[id]!]!;
				const [stiffness, damping] = [model.jointLimitKe[dof]!, model.jointLimitKd[dof]!];
				solref.set(forceSpaceSolref(stiffness, damping, weight, solimp[5 * id + 1]!), 2 * id);
			}
		}
	}

	/** Whether the gains of a limit are still those of the import; once they are edited, they count from then on. */
	#isUntouched(dof: number): boolean {
		const { model } = this.#compiled.conversion;
		const isSame =
			model.jointLimitKe[dof] === this.#untouchedGains[2 * dof] &&
			model.jointLimitKd[dof] === this.#untouchedGains[2 * dof + 1];
		if (!isSame) this.#untouchedGains.fill(Number.NaN, 2 * dof, 2 * dof + 2);
		return isSame;
	}

	#checkRaw(dof: number, raw: Float64Array): void {
		const [time, ratio] = [raw[0]!, raw[1]!];
		const isDefault = time === 0 && ratio === 0;
		if (isDefault || (time !== 0 && Math.sign(time) === Math.sign(ratio))) return;
		this.#compiled.conversion.report.add(
			createDiagnostic(
				'MJC015',
				`solreflimit of degree of freedom ${dof} is (${time}, ${ratio}), expected two numbers of the same sign`,
			),
		);
	}
}

/** `mjJNT_SLIDE`; joints of lower numbers are free and ball. */
const SLIDE = 2;

/** Gains that the importer noted, else those that the model has when it is converted. */
function importedGains(compiled: CompiledModel): Float64Array {
	const { model, attributes } = compiled.conversion;
	const gains = new Float64Array(2 * model.jointDofCount);
	for (let dof = 0; dof < model.jointDofCount; dof++) {
		const noted = attributes.row('solreflimit_gain_baseline', dof, 2);
		if (noted?.every(Number.isFinite) === true) gains.set(noted, 2 * dof);
		else gains.set([model.jointLimitKe[dof]!, model.jointLimitKd[dof]!], 2 * dof);
	}
	return gains;
}
