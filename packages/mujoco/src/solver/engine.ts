import { BodyFlags } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';
import type { Conversion } from '../convert/conversion.ts';
import { CompiledModel } from '../engine/compiled-model.ts';
import { DataViews } from '../engine/data-views.ts';
import type { MujocoModule } from '../engine/mujoco-module.ts';
import { WorldStates } from '../engine/world-states.ts';
import { WorldValues } from '../engine/world-values.ts';
import { BodyPoses } from './body-poses.ts';
import { ControlSync } from './control-sync.ts';
import { DriveWork } from './drive-work.ts';
import { GivenContacts } from './given-contacts.ts';

/** MuJoCo's flag that keeps it from resetting a world that diverged. */
const NO_AUTORESET = 1 << 16;

/** MuJoCo's flag that keeps it from solving each group of touching bodies by itself. */
const NO_ISLANDS = 1 << 18;

/** A compiled model with everything that steps it. */
export class Engine {
	readonly compiled: CompiledModel;
	readonly views: DataViews;
	readonly values: WorldValues;
	readonly states: WorldStates;
	readonly control: ControlSync;
	readonly bodies: BodyPoses;
	readonly driveWork: DriveWork;
	/** Only when MuJoCo does not find contacts itself. */
	readonly given: GivenContacts | undefined;

	constructor(module: MujocoModule, conversion: Conversion, worlds: IndexRange, bytes?: Uint8Array) {
		this.compiled = new CompiledModel(module, conversion, bytes);
		this.compiled.engineOptions.disableflags |= NO_AUTORESET;
		this.chooseIslands();
		this.compiled.sync.setCollision(conversion.options.useMujocoContacts);
		this.views = new DataViews(this.compiled);
		this.values = new WorldValues(this.compiled, worlds);
		this.states = new WorldStates(this.views, worlds);
		this.control = new ControlSync(this.compiled);
		this.bodies = new BodyPoses(this.compiled, worlds);
		this.driveWork = new DriveWork(this.compiled);
		this.given = conversion.options.useMujocoContacts ? undefined : new GivenContacts(this.compiled);
	}

	/**
	 * Solves all bodies together where some are kinematic: a group by itself is solved to a tolerance that grows with its
	 * mean inertia, which the armature of a kinematic body makes so large that no contact with it would be solved at all.
	 */
	chooseIslands(): void {
		const { conversion, engineOptions } = this.compiled;
		const { model, options, resolved } = conversion;
		if (options.newtonCompat || resolved.enableSleeping) return;
		const hasKinematic = model.bodyFlags.some((flags) => (flags & BodyFlags.KINEMATIC) !== 0);
		if (hasKinematic) engineOptions.disableflags |= NO_ISLANDS;
		else engineOptions.disableflags &= ~NO_ISLANDS;
	}

	/**
	 * Bodies of the compiled world that have another centre of mass or inertia by now, but were compiled for the one they
	 * had: MuJoCo refuses to derive its constants then, and its memory is damaged by the refusal.
	 */
	get outgrownBodies(): number[] {
		const { maps, written, conversion } = this.compiled;
		return Array.from(maps.body).filter(
			(body, id) => body >= 0 && !conversion.generalBodies.has(body) && written.isReshaped(conversion.model, id, body),
		);
	}

	dispose(): void {
		this.given?.dispose();
		this.compiled.dispose();
	}
}
