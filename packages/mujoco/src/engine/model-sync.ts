import { createDiagnostic } from '@manyworlds/core';
import { hasRawLimit, isKinematic, KINEMATIC_ARMATURE } from '../convert/add-bodies.ts';
import { areGainsNear, DEFAULT_LIMIT_GAINS, DEFAULT_SOLREF, forceSpaceSolref, SolrefMode } from '../convert/solref.ts';
import type { CompiledModel } from './compiled-model.ts';
import { writeConnectAnchors } from './connect-anchors.ts';
import { doubleField, intField } from './mj-fields.ts';
import { inWorld } from './model-maps.ts';

/** Brings values of a model into the compiled one: those that MJCF cannot say, and those of other worlds. */
export class ModelSync {
	readonly #compiled: CompiledModel;

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
	}

	/** What is left after compilation: per-axis values of free and ball joints, and everything that derives from them. */
	completeTemplate(): void {
		this.#writeDofs(this.#world);
		this.#deriveConstants(this.#world);
	}

	get #world(): number {
		return Math.max(this.#compiled.conversion.template.world, 0);
	}

	#writeDofs(world: number): void {
		const { mj, maps, conversion } = this.#compiled;
		const { model } = conversion;
		const armature = doubleField(mj, 'dof_armature');
		const damping = doubleField(mj, 'dof_damping');
		const friction = doubleField(mj, 'dof_frictionloss');
		for (let id = 0; id < mj.nv; id++) {
			const dof = inWorld(conversion, 'jointDof', maps.dof[id]!, world);
			armature[id] = model.jointArmature[dof]!;
			damping[id] = model.jointDamping[dof]!;
			friction[id] = model.jointFriction[dof]!;
		}
	}

	/**
	 * Recomputes what MuJoCo derives from masses and armatures, then what this package derives from that. The mean
	 * inertia, which scales the solver's tolerance, is taken without the armature that holds kinematic bodies.
	 */
	#deriveConstants(world: number): void {
		const { module, mj, data } = this.#compiled;
		const locked = this.#kinematicDofs(world);
		const bias = doubleField(mj, 'actuator_biasprm').slice();
		module.mj_setConst(mj, data);
		if (locked.length > 0) {
			const meaninertia = mj.stat.meaninertia;
			const armature = doubleField(mj, 'dof_armature');
			for (const dof of locked) armature[dof] = KINEMATIC_ARMATURE;
			doubleField(mj, 'actuator_biasprm').set(bias);
			module.mj_setConst(mj, data);
			mj.stat.meaninertia = meaninertia;
		}
		this.#writeLimits(world);
		writeConnectAnchors(this.#compiled, world);
	}

	/** MuJoCo degrees of freedom that move a kinematic body. */
	#kinematicDofs(world: number): number[] {
		const { mj, maps, conversion } = this.#compiled;
		const bodies = intField(mj, 'dof_bodyid');
		const dofs: number[] = [];
		for (let id = 0; id < mj.nv; id++) {
			const body = inWorld(conversion, 'body', maps.body[bodies[id]!]!, world);
			if (body >= 0 && isKinematic(conversion, body)) dofs.push(id);
		}
		return dofs;
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
			// free and ball joints have no limits here
			if (types[id]! < SLIDE || maps.jointDof[id]! < 0) continue;
			const dof = inWorld(conversion, 'jointDof', maps.jointDof[id]!, world);
			const mode = attributes.number('solreflimit_mode', dof) ?? SolrefMode.FORCE_SPACE;
			const stiffness = model.jointLimitKe[dof]!;
			const damping = model.jointLimitKd[dof]!;
			if (hasRawLimit(conversion, dof)) {
				const raw = attributes.row('solreflimit', dof, 2)!;
				this.#checkRaw(dof, raw);
				solref.set(raw, 2 * id);
			} else if (mode === SolrefMode.MJCF_DEFAULT && areGainsNear(stiffness, damping, this.#baseline(dof))) {
				solref.set(DEFAULT_SOLREF, 2 * id);
			} else {
				const weight = weights[addresses[id]!]!;
				solref.set(forceSpaceSolref(stiffness, damping, weight, solimp[5 * id + 1]!), 2 * id);
			}
		}
	}

	/** Gains that the importer gave to a limit without authored numbers. */
	#baseline(dof: number): ArrayLike<number> {
		const own = this.#compiled.conversion.attributes.row('solreflimit_gain_baseline', dof, 2);
		return own === undefined || (own[0] === 0 && own[1] === 0) ? DEFAULT_LIMIT_GAINS : own;
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
