import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArticulatedDynamics, type Control, type Model, type State } from '@manyworlds/model';
import type { Entity, EntityHost, RobotSimulation, SpawnRequest } from '@manyworlds/ros';
import { SpawnCode } from '@manyworlds/ros/internal';
import { type Asset, openAsset } from '../../front/asset.ts';
import { AssetError } from '../../front/asset-error.ts';
import { modelOf, type OpenedModel, type PlacedAsset, type RobotOptions } from '../../front/model-of.ts';
import { Simulation, type SimulationOptions } from '../../front/simulation.ts';

/** Options of {@link LiveSimulation}. */
export interface LiveSimulationOptions {
	readonly simulation: SimulationOptions & RobotOptions;
	/** Folders that what is spawned may come from, besides that of the robot. */
	readonly folders: readonly string[];
	readonly packages: Readonly<Record<string, string>>;
}

/** A simulation that others can be put into between steps: the model is made anew, and what was there goes on as it was. */
export class LiveSimulation implements RobotSimulation, EntityHost {
	readonly #asset: Asset;
	readonly #options: LiveSimulationOptions;
	readonly #base: OpenedModel;
	readonly #spawned: PlacedAsset[] = [];
	#current: Simulation;
	/** Told of a new model, with its control at the start. */
	onChange: (start: Control) => void = () => {};

	static async create(asset: Asset, options: LiveSimulationOptions): Promise<LiveSimulation> {
		const base = await modelOf(asset, options.simulation);
		return new LiveSimulation(asset, options, base, await Simulation.create(base, simulationOptionsOf(options, base)));
	}

	private constructor(asset: Asset, options: LiveSimulationOptions, base: OpenedModel, current: Simulation) {
		this.#asset = asset;
		this.#options = options;
		this.#base = base;
		this.#current = current;
	}

	/** The simulation as it is now. */
	get current(): Simulation {
		return this.#current;
	}

	get model(): Model {
		return this.#current.model;
	}

	get state(): State {
		return this.#current.state;
	}

	get control(): Control {
		return this.#current.control;
	}

	get dt(): number {
		return this.#current.dt;
	}

	get bodyContactForces(): Float64Array {
		return this.#current.bodyContactForces;
	}

	async step(steps?: number): Promise<void> {
		await this.#current.step(steps);
	}

	async reset(): Promise<void> {
		await this.#current.reset();
	}

	async notifyModelChanged(flags: number): Promise<void> {
		await this.#current.notifyModelChanged(flags);
	}

	async dispose(): Promise<void> {
		await this.#current.dispose();
	}

	entities(): Entity[] {
		const { bodyLabels } = this.model;
		const root = bodyLabels[0]?.split('/').find((part) => part !== '') ?? 'robot';
		const robot: Entity = { name: root, description: this.#asset.name, category: 'robot', body: 0 };
		return [
			robot,
			...this.#spawned.map(({ name, asset }): Entity => {
				const isOwn = (label: string | undefined): boolean => label?.startsWith(`${name}/`) === true;
				const body = bodyLabels.findIndex(isOwn);
				const joints = this.model.jointLabels.filter(isOwn);
				return { name, description: asset.name, category: joints.length > 1 ? 'robot' : 'object', body };
			}),
		];
	}

	async spawn(request: SpawnRequest): Promise<{ readonly code: number; readonly reason: string } | undefined> {
		const { name, pose } = request;
		try {
			const asset = await this.#open(request);
			if ('code' in asset) return asset;
			return await this.#rebuild([...this.#spawned, { name, asset, pose }]);
		} catch (error) {
			if (!(error instanceof AssetError)) throw error;
			const code = error.code === 'OPEN001' ? SpawnCode.NO_RESOURCE : SpawnCode.RESOURCE_PARSE_ERROR;
			return { code, reason: error.message };
		}
	}

	async remove(name: string): Promise<void> {
		await this.#rebuild(this.#spawned.filter((one) => one.name !== name));
	}

	/** Takes all away that was spawned. */
	async removeAll(): Promise<void> {
		if (this.#spawned.length > 0) await this.#rebuild([]);
	}

	place(): void {
		new ArticulatedDynamics(this.model).forwardKinematics(this.state);
	}

	/** Opens what is to be spawned. Whoever is in the domain can ask for it: only files below known folders are read. */
	async #open({ uri, text }: SpawnRequest): Promise<Asset | { readonly code: number; readonly reason: string }> {
		if (text !== '') {
			const extension = extensionOf(text);
			if (extension === undefined)
				return { code: SpawnCode.UNSUPPORTED_FORMAT, reason: 'resource_string is no URDF, SDF, MJCF or USD' };
			return await openAsset({ files: { [`entity.${extension}`]: text }, entry: `entity.${extension}` });
		}
		const { folders, packages } = this.#options;
		const named = /^package:\/\/([^/]+)\/(.+)$/.exec(uri);
		if (named !== null && packages[named[1]!] === undefined)
			return { code: SpawnCode.NO_RESOURCE, reason: `the package '${named[1]}' is unknown` };
		if (named === null && /^[a-z]+:\/\//i.test(uri) && !uri.startsWith('file://'))
			return { code: SpawnCode.NO_RESOURCE, reason: `there is no file '${uri}'` };
		const path =
			named !== null
				? resolve(packages[named[1]!]!, named[2]!)
				: resolve(folders[0] ?? '.', uri.startsWith('file://') ? fileURLToPath(uri) : uri);
		const allowed = [...folders, ...Object.values(packages)];
		if (!allowed.some((folder) => isBelow(path, folder)))
			return { code: SpawnCode.NO_RESOURCE, reason: `'${uri}' is outside of the folders that may be read` };
		if (!/\.(?:urdf|sdf|xml|usd[acz]?)$/.test(path))
			return { code: SpawnCode.UNSUPPORTED_FORMAT, reason: `'${uri}' is no URDF, SDF, MJCF or USD` };
		return await openAsset(path, { roots: folders, packages });
	}

	/** Makes the model anew and goes on from where things are. */
	async #rebuild(
		spawned: readonly PlacedAsset[],
	): Promise<{ readonly code: number; readonly reason: string } | undefined> {
		const opened = await modelOf(this.#asset, { ...this.#options.simulation, beside: spawned });
		const missing = opened.report.toArray().find(({ code }) => code === 'URDF009');
		const hadMissing = this.#base.report.toArray().some(({ code }) => code === 'URDF009');
		if (missing !== undefined && !hadMissing && spawned.length > this.#spawned.length)
			return { code: SpawnCode.MISSING_ASSETS, reason: missing.message };
		const { model, start } = opened;
		// at the start, robots are where they were and others where they were put
		start.jointQ.set(model.jointQ);
		start.jointQ.set(this.#base.start.jointQ.subarray(0, this.#base.model.jointQ.length));
		new ArticulatedDynamics(model).forwardKinematics(start);
		const next = await Simulation.create({ ...opened, start }, simulationOptionsOf(this.#options, opened));
		const old = this.#current;
		carryOver(old, next);
		new ArticulatedDynamics(model).forwardKinematics(next.state);
		await next.notifyModelChanged();
		this.#current = next;
		this.#spawned.splice(0, this.#spawned.length, ...spawned);
		await old.dispose();
		this.onChange(model.createControl());
		return undefined;
	}
}

/** The time step is that of the robot. */
function simulationOptionsOf({ simulation }: LiveSimulationOptions, { dt }: OpenedModel): SimulationOptions {
	return { ...simulation, dt: simulation.dt ?? dt };
}

/** Coordinates, velocities, targets and gains of joints that are in both. */
function carryOver(from: Simulation, to: Simulation): void {
	const rows = new Map(from.model.jointLabels.map((label, row) => [label, row]));
	const copy = (
		a: Float64Array | Int32Array,
		i: number,
		b: Float64Array | Int32Array,
		k: number,
		count: number,
	): void => b.set(a.subarray(i, i + count), k);
	for (const [row, label] of to.model.jointLabels.entries()) {
		const old = rows.get(label);
		if (old === undefined) continue;
		const [q0, q1] = [from.model.jointQStart[old]!, to.model.jointQStart[row]!];
		const [d0, d1] = [from.model.jointQdStart[old]!, to.model.jointQdStart[row]!];
		const coordinates = (to.model.jointQStart[row + 1] ?? to.model.jointQ.length) - q1;
		const freedoms = (to.model.jointQdStart[row + 1] ?? to.model.jointQd.length) - d1;
		copy(from.state.jointQ, q0, to.state.jointQ, q1, coordinates);
		copy(from.state.jointQd, d0, to.state.jointQd, d1, freedoms);
		copy(from.control.jointTargetQ, q0, to.control.jointTargetQ, q1, coordinates);
		for (const name of ['jointF', 'jointTargetQd'] as const)
			copy(from.control[name], d0, to.control[name], d1, freedoms);
		for (const name of ['jointTargetKe', 'jointTargetKd', 'jointTargetMode'] as const)
			copy(from.model[name], d0, to.model[name], d1, freedoms);
	}
}

/** Whether a file lies in a folder or below it. */
export function isBelow(path: string, folder: string): boolean {
	const way = relative(resolve(folder), path);
	return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

/** The format of a text, as the end of a file name. */
function extensionOf(text: string): string | undefined {
	const start = text.slice(0, 4096);
	if (start.startsWith('#usda')) return 'usda';
	if (/<robot[\s>]/.test(start)) return 'urdf';
	if (/<mujoco[\s>]/.test(start)) return 'xml';
	return /<sdf[\s>]/.test(start) ? 'sdf' : undefined;
}
