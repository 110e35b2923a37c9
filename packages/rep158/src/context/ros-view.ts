import type { Prim } from '@manyworlds/usd';
import { ContextResolver, isContext, type RosInterface, readInterfaces } from '@manyworlds/usd/internal';
import { type InterfaceDefinition, InterfaceRegistry } from '../ros/interface-registry.ts';
import { buildFrames, type RosFrames } from '../ros/ros-frames.ts';
import type { CheckContext } from './check-context.ts';

/** What ROS sees of an asset: made once for all rules, each part when it is first asked for. */
export class RosView {
	readonly #context: CheckContext;
	readonly resolver: ContextResolver = new ContextResolver();
	#contexts: readonly Prim[] | undefined;
	#interfaces: readonly RosInterface[] | undefined;
	#frames: RosFrames | undefined;

	constructor(context: CheckContext) {
		this.#context = context;
	}

	/** The view of a context; the same one whenever it is asked for. */
	static of(context: CheckContext): RosView {
		let view = VIEWS.get(context);
		if (view === undefined) {
			view = new RosView(context);
			VIEWS.set(context, view);
		}
		return view;
	}

	/** Types that can be resolved. */
	get types(): InterfaceRegistry {
		const { interfaces } = this.#context.settings;
		if (interfaces === undefined || interfaces.length === 0) return InterfaceRegistry.standard;
		let types = TYPES.get(interfaces);
		if (types === undefined) {
			types = InterfaceRegistry.standard.with(interfaces);
			TYPES.set(interfaces, types);
		}
		return types;
	}

	/** Prims with RosContextAPI. */
	get contexts(): readonly Prim[] {
		this.#contexts ??= this.#context.lists.ros.filter(isContext);
		return this.#contexts;
	}

	/** Contexts that no other context is above: the roots of robots. */
	get robots(): readonly Prim[] {
		return this.contexts.filter((prim) => this.resolver.outermost(prim)?.path === prim.path);
	}

	/** Topics, services and actions. */
	get interfaces(): readonly RosInterface[] {
		this.#interfaces ??= this.#context.lists.ros.flatMap((prim) => readInterfaces(prim, this.resolver));
		return this.#interfaces;
	}

	/** The TF tree. */
	get frames(): RosFrames {
		this.#frames ??= buildFrames({
			prims: this.#context.lists.all,
			physics: this.#context.physics,
			contexts: this.resolver,
		});
		return this.#frames;
	}
}

const VIEWS = new WeakMap<CheckContext, RosView>();
const TYPES = new WeakMap<readonly InterfaceDefinition[], InterfaceRegistry>();
