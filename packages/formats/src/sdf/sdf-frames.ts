import { quote, type Report } from '@manyworlds/core';
import { transformInvert, transformMultiply, type XmlElement } from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';
import type { SdfFrame, SdfJoint, SdfLink, SdfModel, SdfPose } from './sdf-document.ts';

/** What has frames: a model, or a world, which has no links. @public */
export interface SdfFrameOwner {
	readonly links?: readonly SdfLink[];
	readonly joints: readonly SdfJoint[];
	readonly frames: readonly SdfFrame[];
	readonly models: readonly SdfModel[];
	readonly canonicalLink?: string | undefined;
}

type Entry =
	| { readonly kind: 'link'; readonly item: SdfLink }
	| { readonly kind: 'joint'; readonly item: SdfJoint }
	| { readonly kind: 'frame'; readonly item: SdfFrame }
	| { readonly kind: 'model'; readonly item: SdfModel };

/**
 * Frames of a model or world by name, with those of nested models behind `::` (SDF 1.7 and later; older files have a part of it).
 * Poses are those in the frame of the owner, when every joint is at zero.
 * @public
 */
export class SdfFrames {
	readonly #owner: SdfFrameOwner;
	readonly #report: Report;
	readonly #entries = new Map<string, Entry>();
	readonly #nested = new Map<string, SdfFrames>();
	readonly #poses = new Map<string, Float64Array>([['__model__', identity()]]);
	readonly #links = new Map<string, string>();

	constructor(owner: SdfFrameOwner, report: Report) {
		this.#owner = owner;
		this.#report = report;
		// models see themselves only, not the world around them
		if (owner.links === undefined) for (const name of ['world', '__root__']) this.#poses.set(name, identity());
		const add = (kind: Entry['kind'], items: readonly { readonly name: string }[]): void => {
			for (const item of items) {
				if (!this.#entries.has(item.name)) this.#entries.set(item.name, { kind, item } as Entry);
			}
		};
		add('link', owner.links ?? []);
		add('joint', owner.joints);
		add('frame', owner.frames);
		add('model', owner.models);
	}

	/** Frames of a nested model; undefined when there is none of this name. */
	nested(name: string): SdfFrames | undefined {
		const entry = this.#entries.get(name);
		if (entry?.kind !== 'model') return undefined;
		let frames = this.#nested.get(name);
		if (frames === undefined) {
			frames = new SdfFrames(entry.item, this.#report);
			this.#nested.set(name, frames);
		}
		return frames;
	}

	/** Whether there is a frame of this name. */
	has(name: string): boolean {
		if (this.#poses.has(name) || this.#entries.has(name)) return true;
		const [first, rest] = splitScope(name);
		return rest !== undefined && (this.nested(first)?.has(rest) ?? false);
	}

	/** Pose of a frame in that of the owner. A name that leads nowhere, or in a circle, is reported and means the owner. */
	pose(name: string, at: XmlElement): Float64Array {
		if (!this.has(name)) {
			this.#fault('SDF005', `${quote(name)} is not a frame here; that of the model is taken`, at);
			return identity();
		}
		// what a pose depends on first; a stack, because chains may be long
		const stack = [name];
		const open = new Set(stack);
		for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
			if (!this.#poses.has(top)) {
				const base = this.#baseOf(top, open);
				if (!this.#poses.has(base)) {
					stack.push(base);
					open.add(base);
					continue;
				}
				this.#poses.set(top, this.#placed(top, this.#poses.get(base)!));
			}
			stack.pop();
			open.delete(top);
		}
		return this.#poses.get(name)!;
	}

	/** Pose of something that is placed in a frame of its own unless it names another: a visual, a sensor. */
	poseOf(pose: SdfPose, usual: string, at: XmlElement): Float64Array {
		const base = this.pose(pose.relativeTo === '' ? usual : pose.relativeTo, pose.element ?? at);
		return multiplied(base, pose.values);
	}

	/**
	 * The link that a frame moves with, by its name here (`gripper::palm`): '' for the world, undefined when it leads nowhere,
	 * which is reported.
	 */
	link(name: string, at: XmlElement): string | undefined {
		const way: string[] = [];
		const seen = new Set<string>();
		let next = name;
		let found: string | undefined;
		for (;;) {
			const known = this.#links.get(next);
			if (known !== undefined) {
				found = known;
				break;
			}
			if (seen.has(next)) {
				this.#fault('SDF006', `${quote(name)} is attached to frames that go round in a circle`, at);
				break;
			}
			seen.add(next);
			way.push(next);
			const step = this.#attachment(next);
			if (step === undefined) {
				this.#fault('SDF005', `${quote(next)} is attached to no link`, at);
				break;
			}
			if ('link' in step) {
				found = step.link;
				break;
			}
			next = step.to;
		}
		if (found !== undefined) for (const passed of way) this.#links.set(passed, found);
		return found;
	}

	#attachment(name: string): { readonly link: string } | { readonly to: string } | undefined {
		if (name === 'world' || name === '__root__') return { link: '' };
		if (name === '__model__') {
			if (this.#owner.links === undefined) return { link: '' };
			const first = this.#owner.canonicalLink ?? this.#owner.links[0]?.name ?? this.#owner.models[0]?.name;
			return first === undefined ? undefined : { to: first };
		}
		const entry = this.#entries.get(name);
		switch (entry?.kind) {
			case 'link':
				return { link: name };
			case 'joint':
				return { to: entry.item.child };
			case 'frame':
				return { to: entry.item.attachedTo || '__model__' };
			case 'model': {
				const inside = this.nested(name)!.link('__model__', entry.item.element);
				return inside === undefined ? undefined : { link: inside === '' ? '' : `${name}::${inside}` };
			}
			default: {
				const [first, rest] = splitScope(name);
				const nested = rest === undefined ? undefined : this.nested(first);
				if (nested === undefined || rest === undefined || !nested.has(rest)) return undefined;
				const at = this.#entries.get(first)!.item.element;
				const inside = nested.link(rest, at);
				return inside === undefined ? undefined : { link: inside === '' ? '' : `${first}::${inside}` };
			}
		}
	}

	/** Name of the frame that the pose of another is given in; the owner where that would lead nowhere or in a circle. */
	#baseOf(name: string, open: ReadonlySet<string>): string {
		const entry = this.#entries.get(name);
		if (entry === undefined) return splitScope(name)[0];
		const { item } = entry;
		const usual =
			entry.kind === 'joint'
				? entry.item.child
				: entry.kind === 'frame'
					? entry.item.attachedTo || '__model__'
					: '__model__';
		const base = item.pose.relativeTo || usual;
		const at = item.pose.element ?? item.element;
		if (open.has(base)) {
			this.#fault('SDF006', `the pose of ${quote(name)} depends on itself; that of the model is taken`, at);
			return '__model__';
		}
		if (this.has(base)) return base;
		this.#fault(
			'SDF005',
			`${quote(name)} is placed in ${quote(base)}, which is not a frame here; that of the model is taken`,
			at,
		);
		return '__model__';
	}

	#placed(name: string, base: Float64Array): Float64Array {
		const entry = this.#entries.get(name);
		if (entry === undefined) {
			const [first, rest] = splitScope(name);
			return multiplied(base, this.nested(first)!.pose(rest!, this.#entries.get(first)!.item.element));
		}
		const pose = multiplied(base, entry.item.pose.values);
		if (entry.kind !== 'model' || entry.item.placementFrame === undefined) return pose;
		const inside = this.nested(name)!.pose(entry.item.placementFrame, entry.item.element);
		return multiplied(pose, transformInvert(new Float64Array(7), inside));
	}

	#fault(code: 'SDF005' | 'SDF006', message: string, at: XmlElement): void {
		this.#report.add(createDiagnostic(code, message, at.location));
	}
}

/** The model that a name leads into first, and the rest of the name. */
function splitScope(name: string): readonly [string, string | undefined] {
	const at = name.indexOf('::');
	return at < 0 ? [name, undefined] : [name.slice(0, at), name.slice(at + 2)];
}

function identity(): Float64Array {
	return Float64Array.of(0, 0, 0, 0, 0, 0, 1);
}

function multiplied(a: Float64Array, b: Float64Array): Float64Array {
	return transformMultiply(new Float64Array(7), a, b);
}
