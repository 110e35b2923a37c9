import type { ConversionModel, LossCode } from '@manyworlds/convert';
import { type ShownRobot, showRobot } from '@manyworlds/convert/internal';
import { type Diagnostic, Report } from '@manyworlds/core';
import { transformPoint } from '@manyworlds/core/internal';
import { ArticulatedDynamics, JointType } from '@manyworlds/model';
import { unifiedDiff } from '@manyworlds/rep158/internal';
import { LoopGaps } from '@manyworlds/sim/internal';
import { isAssetFailure, LoadRules, Stage, whenLoaded } from '@manyworlds/usd';
import { jointNumbersOf } from '@manyworlds/worlds/internal';
import { transfer } from 'comlink';
import {
	type Asset,
	AssetError,
	type ConvertFormat,
	check,
	convert,
	fix,
	modelOf,
	type OpenedModel,
	openAsset,
} from 'manyworlds';
import type { FolderFiles } from '../files/folder-files.ts';
import { readCsv } from '../recording/read-csv.ts';
import type { TopicMoment } from '../recording/robot-topics.ts';
import type {
	ChangedFile,
	ChosenVariant,
	FixedLook,
	FixPreview,
	OpenedAsset,
	PropertyRow,
	PurposeName,
	RecordedFrame,
	RecordedPose,
	SensorRow,
	StageChoices,
} from './asset-types.ts';
import { STAGE_CHOICES_DEFAULTS } from './asset-types.ts';
import { CHOSEN_FILE, chosenVariants } from './chosen-variants.ts';
import { closeLoops } from './close-loops.ts';
import { describeModel, freedomsOf, isSingle, lastName } from './describe-model.ts';
import { editProperty, type PropertyEdit } from './edit-property.ts';
import { ObservedStore } from './observed-store.ts';
import { ownBytes } from './own-bytes.ts';
import { reachPoint } from './reach-point.ts';
import { robotSensorRows } from './robot-sensor-rows.ts';
import { srdfPoses } from './srdf-poses.ts';
import { hasInterfaces, payloadRows, primRows, propertyRows, purposesOf, variantSets } from './stage-rows.ts';
import { unnamedGlb } from './unnamed-glb.ts';

/** An asset that is open in the page: everything that is done with its files, off the main thread. */
export class AssetSession {
	readonly #files: Map<string, Uint8Array>;
	#entry = '';
	#asset: Asset | undefined;
	#stage: Stage | undefined;
	#model: OpenedModel | undefined;
	/** Why there is no model. */
	#refusal: string | undefined;
	#dynamics: ArticulatedDynamics | undefined;
	#gaps: LoopGaps | undefined;
	/** Prims whose payloads are not loaded. */
	#unloaded: readonly string[] = [];
	/** Purposes that are drawn beside the usual one. */
	#purposes: readonly PurposeName[] = STAGE_CHOICES_DEFAULTS.purposes;

	/** `files` are those of the folder; they are changed by {@link write}. */
	constructor(files: Map<string, Uint8Array>) {
		this.#files = files;
	}

	/** Opens a file of the folder. Rejects with a message when it is nothing that can be shown. */
	open(entry: string, choices: StageChoices = STAGE_CHOICES_DEFAULTS): Promise<OpenedAsset> {
		this.#entry = entry;
		return this.reopen(choices);
	}

	/** Opens the same file again, after edits or looked at in another way. */
	async reopen(choices: StageChoices = STAGE_CHOICES_DEFAULTS): Promise<OpenedAsset> {
		const plain = await this.#openEntry(this.#entry);
		const { variants, unloaded, purposes } = choices;
		const entry = variants.length > 0 && plain.format === 'usd' ? this.#choose(plain, variants) : this.#entry;
		const opened = entry === this.#entry ? plain : await this.#openEntry(entry);
		const store = new ObservedStore(opened.store);
		const asset = { ...opened, store };
		this.#asset = asset;
		this.#unloaded = unloaded;
		this.#purposes = purposes;
		const report = new Report();
		const load = LoadRules.except(unloaded);
		const shown = await whenLoaded(store, () =>
			asset.format === 'scene'
				? undefined
				: showRobot(asset.identifier, store, { report, load, purposes: new Set(['default', ...purposes]) }),
		);
		const stage = asset.format === 'usd' ? openStage(asset, load) : undefined;
		this.#stage = stage;
		// what is seen is drawn from the file; the model would keep it once more
		const robot = await this.#robot(asset, report, shown === undefined);
		report.addAll(store.report);
		const links = robot?.links.map(({ label }) => label) ?? [];
		const told: OpenedAsset = {
			name: asset.name,
			entry: this.#entry,
			format: asset.format,
			...(shown !== undefined && { glb: ownBytes(shown.glb), linkOfNode: linksOfNodes(shown, links) }),
			...(robot !== undefined && { robot: { ...robot, sensors: await this.#sensors(shown, links) } }),
			...(this.#refusal !== undefined && { refusal: this.#refusal }),
			prims: stage === undefined ? [] : primRows(stage),
			variants: stage === undefined ? [] : variantSets(stage),
			payloads: stage === undefined ? [] : payloadRows(stage),
			purposes: stage === undefined ? [] : purposesOf(stage),
			poses: robot === undefined ? [] : [...robot.keyframes, ...srdfPoses(this.#files).map(({ name }) => name)],
			findings: report.toArray().filter(isOfRobot),
			missing: store.refused(this.#files.keys()),
		};
		// given away instead of copied: the page would stand still meanwhile
		const given = [told.glb, ...(robot?.meshes ?? []).flatMap(({ positions, indices }) => [positions, indices])];
		return transfer(told, [
			...new Set(given.flatMap((array) => (array === undefined ? [] : (array.buffer as ArrayBuffer)))),
		]);
	}

	/** What a thread needs beside the files to open what this session shows. */
	subject(): { readonly extra: FolderFiles; readonly entry: string; readonly unloaded: readonly string[] } {
		const extra = new Map([...this.#files].filter(([path]) => path.endsWith(CHOSEN_FILE)));
		return { extra, entry: this.#asset?.identifier ?? this.#entry, unloaded: this.#unloaded };
	}

	/** Findings of the checker: REP 0158 in every variant selection, or those of importers. */
	async check(): Promise<readonly Diagnostic[]> {
		const { report } = await check(await this.#openEntry(this.#entry));
		return report.toArray();
	}

	/** What a fix would change. Nothing is changed. */
	async fix(options: { readonly unsafe?: boolean } = {}): Promise<FixPreview> {
		const { files, report } = await fix(await this.#openEntry(this.#entry), options);
		const changed: ChangedFile[] = files.map(({ identifier, bytes, before, isText }) => ({
			path: identifier,
			after: bytes,
			isText,
			...(before !== undefined && { before }),
		}));
		const decode = (bytes: Uint8Array | undefined): string =>
			bytes === undefined ? '' : new TextDecoder().decode(bytes);
		const diff = changed
			.filter(({ isText }) => isText)
			.map(({ path, before, after }) => unifiedDiff(decode(before), decode(after), { before: path, after: path }))
			.join('');
		return { files: changed, diff, findings: report.toArray() };
	}

	/** What would be seen with other files; undefined where it is the same as now, or nothing. Nothing is changed. */
	async previewLook(changes: FolderFiles): Promise<FixedLook | undefined> {
		const [before, after] = await Promise.all([
			this.#lookOf(this.#files),
			this.#lookOf(new Map([...this.#files, ...changes])),
		]);
		if (after === undefined || before === undefined || areSame(before, after)) return undefined;
		return transfer(after, [after.glb.buffer]);
	}

	async #lookOf(files: ReadonlyMap<string, Uint8Array>): Promise<FixedLook | undefined> {
		const { store, identifier, format, ...rest } = await openAsset({
			files,
			entry: this.#asset?.identifier ?? this.#entry,
		});
		const load = LoadRules.except(this.#unloaded);
		if (format === 'scene') return undefined;
		const shown = await whenLoaded(store, () =>
			showRobot(identifier, store, { report: new Report(), load, purposes: new Set(['default', ...this.#purposes]) }),
		);
		if (shown === undefined) return undefined;
		const asset = { store, identifier, format, ...rest };
		const robot = await modelOf(asset, { worlds: 1, unloaded: this.#unloaded, visuals: false }).catch(
			(error: unknown) => {
				if (error instanceof AssetError) return undefined;
				throw error;
			},
		);
		const links = robot?.model.bodyLabels ?? [];
		return {
			glb: ownBytes(shown.glb),
			linkOfNode: linksOfNodes(shown, links),
			poses: Float32Array.from(robot?.start.bodyQ ?? []),
			links,
		};
	}

	/** Writes files of the folder; undefined takes one away. */
	write(changes: ReadonlyMap<string, Uint8Array | undefined>): void {
		for (const [path, bytes] of changes) {
			if (bytes === undefined) this.#files.delete(path);
			else this.#files.set(path, bytes);
		}
	}

	/** The text of a file; undefined when it is binary or not there. */
	text(path: string): string | undefined {
		const bytes = this.#files.get(path);
		if (bytes === undefined || bytes.subarray(0, 4096).includes(0)) return undefined;
		return new TextDecoder().decode(bytes);
	}

	/** Properties of a prim with where they come from. */
	properties(path: string): readonly PropertyRow[] {
		if (this.#stage === undefined || this.#asset === undefined) return [];
		return propertyRows(this.#stage, path, this.#asset.store, this.#asset.name);
	}

	/** What a file becomes when a property gets another value. Nothing is changed; rejects with a sentence for what is no value. */
	editProperty(edit: PropertyEdit): ReadonlyMap<string, Uint8Array> {
		const { file } = edit.target;
		const bytes = this.#files.get(file);
		if (bytes === undefined) throw new Error(`'${file}' is not among the files`);
		return new Map([[file, editProperty(bytes, edit)]]);
	}

	/** Joint coordinates of a pose that a file names; undefined when there is none. */
	async namedPose(name: string): Promise<Float64Array | undefined> {
		if (this.#model === undefined || this.#asset === undefined) return undefined;
		const { model, start, keyframes = [] } = this.#model;
		if (keyframes.includes(name)) {
			return (await modelOf(this.#asset, { worlds: 1, keyframe: name })).start.jointQ.slice();
		}
		const pose = srdfPoses(this.#files).find((own) => own.name === name);
		if (pose === undefined) return undefined;
		const coordinates = start.jointQ.slice();
		for (const [joint, label] of model.jointLabels.entries()) {
			const value = pose.joints.get(lastName(label));
			if (value !== undefined && isSingle(model, joint)) coordinates[model.jointQStart[joint]!] = value;
		}
		return coordinates;
	}

	/** Joint coordinates that bring a point of a link, given in its frame, as near to a place as limits let it come. */
	reach(
		coordinates: Float64Array,
		link: number,
		point: readonly number[],
		target: readonly [number, number, number],
	): Float64Array {
		if (this.#model === undefined) return coordinates;
		const { model, start } = this.#model;
		const place = (q: Float64Array): [number, number, number] => {
			this.#place(q);
			const [x, y, z] = transformPoint(new Float64Array(3), start.bodyQ, Float64Array.from(point), 0, 7 * link);
			return [x!, y!, z!];
		};
		let size = 0;
		place(coordinates);
		for (let at = 0; at < start.bodyQ.length; at += 7) {
			size = Math.max(size, Math.hypot(...[0, 1, 2].map((k) => start.bodyQ[at + k]! - start.bodyQ[k]!)));
		}
		const freedoms = freedomsOf(model).filter(({ isFollower }) => !isFollower);
		return reachPoint(coordinates, { freedoms, place, target, size: Math.max(size, 0.1) });
	}

	/**
	 * Where links stand for joint coordinates: position and rotation of each. Followers take the place that their leaders give them, and
	 * loops are closed: the joints that differ from the last pose keep their place, others follow.
	 */
	pose(coordinates: Float64Array): { readonly poses: Float32Array; readonly coordinates: Float64Array } {
		if (this.#model === undefined) return { poses: new Float32Array(), coordinates };
		return this.#posed(this.#closed(coordinates, this.#model.start.jointQ));
	}

	#posed(coordinates: Float64Array): { readonly poses: Float32Array; readonly coordinates: Float64Array } {
		const { start: state } = this.#model!;
		this.#place(coordinates);
		return { poses: Float32Array.from(state.bodyQ), coordinates: state.jointQ.slice() };
	}

	/** Coordinates with loops closed. */
	#closed(coordinates: Float64Array, before: Float64Array): Float64Array {
		const { model, start: state } = this.#model!;
		this.#gaps ??= new LoopGaps(model);
		const gaps = this.#gaps;
		if (gaps.count === 0) return coordinates;
		const held = new Set([...coordinates.keys()].filter((i) => coordinates[i] !== before[i]));
		const out = new Float64Array(gaps.count);
		return closeLoops(
			coordinates,
			{
				freedoms: freedomsOf(model).filter(({ isFollower }) => !isFollower),
				gaps: (q) => {
					this.#place(q);
					return gaps.write(out, state.bodyQ, state.jointQ);
				},
			},
			held,
		);
	}

	#place(coordinates: Float64Array): void {
		const { model, start: state } = this.#model!;
		state.jointQ.set(coordinates);
		for (let i = 0; i < model.constraintMimicJoint0.length; i++) {
			if (model.constraintMimicEnabled[i] === 0) continue;
			const [follower, leader] = [model.constraintMimicJoint0[i]!, model.constraintMimicJoint1[i]!];
			const led = model.constraintMimicCoef1[i]! * state.jointQ[model.jointQStart[leader]!]!;
			state.jointQ[model.jointQStart[follower]!] = model.constraintMimicCoef0[i]! + led;
		}
		state.jointQd.fill(0);
		this.#dynamics ??= new ArticulatedDynamics(model);
		this.#dynamics.forwardKinematics(state);
	}

	/** Where links are by what topics of a robot say: joints by name, then frames with the names of links. */
	poseFrom({ joints, frames }: Pick<TopicMoment, 'joints' | 'frames'>): RecordedPose {
		if (this.#model === undefined) return { poses: new Float32Array(), coordinates: new Float64Array() };
		const { model, start } = this.#model;
		const coordinates = start.jointQ.slice();
		for (const [joint, label] of model.jointLabels.entries()) {
			const at = model.jointQStart[joint]!;
			const value = joints.get(lastName(label));
			if (value !== undefined && isSingle(model, joint)) coordinates[at] = value;
			const child = model.jointType[joint] === JointType.FREE ? model.bodyLabels[model.jointChild[joint]!] : undefined;
			const pose = child === undefined ? undefined : frames.get(lastName(child));
			if (pose !== undefined) coordinates.set(pose, at);
		}
		const { poses } = this.#posed(coordinates);
		for (const [body, label] of model.bodyLabels.entries()) {
			const pose = frames.get(lastName(label));
			if (pose !== undefined) poses.set(pose, 7 * body);
		}
		return { poses: poses as Float32Array<ArrayBuffer>, coordinates: coordinates as Float64Array<ArrayBuffer> };
	}

	/** Moments of a recording: CSV of `manyworlds run --record`, or MCAP with ROS 2 messages. Rejects with a sentence when it is none. */
	async readRecording(bytes: Uint8Array, name: string): Promise<readonly RecordedFrame[]> {
		if (this.#model === undefined) throw new Error('open the robot of the recording first');
		if (/\.csv$/i.test(name)) return this.#readCsv(new TextDecoder().decode(bytes), name);
		const { readMcap } = await import('../recording/read-mcap.ts');
		const moments = await readMcap(bytes, name);
		return moments.map(({ time, points, ...moment }) => ({ time, points, ...this.poseFrom(moment) }));
	}

	#readCsv(text: string, name: string): RecordedFrame[] {
		const { model, start } = this.#model!;
		const { columns, rows } = readCsv(text, name);
		const known = model.jointLabels.flatMap((label, joint) =>
			jointNumbersOf(model, joint, 'position').flatMap(({ suffix }, i) => {
				const values = columns.get(`${label}${suffix}`);
				return values === undefined ? [] : [{ coordinate: model.jointQStart[joint]! + i, values }];
			}),
		);
		if (known.length === 0) throw new Error(`'${name}' has no column with the name of a joint of this robot`);
		return Array.from({ length: rows }, (_, row) => {
			const coordinates = start.jointQ.slice();
			for (const { coordinate, values } of known) coordinates[coordinate] = values[row]!;
			const posed = this.#posed(coordinates);
			return {
				time: columns.get('time')![row]!,
				poses: posed.poses as Float32Array<ArrayBuffer>,
				coordinates: posed.coordinates as Float64Array<ArrayBuffer>,
				points: new Float32Array(),
			};
		});
	}

	/** The asset in another format: the main file first. */
	async convert(
		format: ConvertFormat,
	): Promise<{ readonly files: ReadonlyMap<string, Uint8Array>; readonly findings: readonly Diagnostic[] }> {
		const asset = this.#asset ?? (await this.#openEntry(this.#entry));
		const { bytes, files, report } = await convert(asset, format);
		return { files: new Map([['', bytes], ...files]), findings: report.toArray() };
	}

	/** Forgets what was made of files. */
	clear(): void {
		this.#model = undefined;
		this.#dynamics = undefined;
		this.#gaps = undefined;
		this.#asset = undefined;
		this.#stage = undefined;
	}

	#openEntry(entry: string): Promise<Asset> {
		return openAsset({ files: this.#files, entry });
	}

	/** Puts a layer with the chosen variants beside the root layer; gives its path. */
	#choose({ store, identifier }: Asset, choices: readonly ChosenVariant[]): string {
		const layer = store.layer(identifier);
		if (layer === undefined || isAssetFailure(layer)) return this.#entry;
		const folder = this.#entry.slice(0, this.#entry.lastIndexOf('/') + 1);
		this.#files.set(`${folder}${CHOSEN_FILE}`, chosenVariants(layer, this.#entry, choices));
		return `${folder}${CHOSEN_FILE}`;
	}

	/** Sensors that a stage declares to ROS, which is read where there are some, or those that the robot has in its own format. */
	async #sensors(shown: ShownRobot | undefined, links: readonly string[]): Promise<readonly SensorRow[]> {
		if (this.#model === undefined) return [];
		if (this.#stage !== undefined && hasInterfaces(this.#stage)) {
			const { sensorRows } = await import('./sensor-rows.ts');
			return sensorRows(this.#stage, this.#model.model);
		}
		return shown === undefined ? [] : robotSensorRows(shown.model, linksOfBodies(shown.model, links));
	}

	/** What moves of an asset; undefined for what can only be looked at. */
	async #robot(asset: Asset, report: Report, visuals: boolean): Promise<OpenedAsset['robot']> {
		this.#dynamics = undefined;
		this.#gaps = undefined;
		this.#model = undefined;
		this.#refusal = undefined;
		try {
			const opened = await modelOf(asset, { worlds: 1, unloaded: this.#unloaded, visuals });
			report.addAll(opened.report);
			if (opened.model.bodyCount === 0 && asset.format !== 'scene') return undefined;
			this.#model = opened;
			return describeModel(opened);
		} catch (error) {
			if (!(error instanceof AssetError)) throw error;
			report.addAll(error.report);
			this.#refusal = error.message;
			return undefined;
		}
	}
}

function areSame(a: FixedLook, b: FixedLook): boolean {
	const isEqual = (one: ArrayLike<number>, two: ArrayLike<number>): boolean => {
		if (one.length !== two.length) return false;
		for (let i = 0; i < one.length; i++) if (one[i] !== two[i]) return false;
		return true;
	};
	return isEqual(a.poses, b.poses) && isEqual(unnamedGlb(a.glb), unnamedGlb(b.glb));
}

function openStage({ store, identifier }: Asset, load: LoadRules): Stage | undefined {
	const layer = store.layer(identifier);
	return layer === undefined || isAssetFailure(layer) ? undefined : Stage.open(layer, { store, load });
}

/** For each node of what is shown the link that it stands for, -1 for none. */
function linksOfNodes({ model, bodyNodes }: ShownRobot, labels: readonly string[]): Int32Array {
	const linkOf = linksOfBodies(model, labels);
	const out = new Int32Array(Math.max(-1, ...bodyNodes.values()) + 1).fill(-1);
	for (const [body, node] of bodyNodes) out[node] = linkOf(body);
	return out;
}

/** The link that a body is: by its prim, else by its name where that is the only one; -1 for none. */
function linksOfBodies({ bodies }: ConversionModel, labels: readonly string[]): (body: number) => number {
	const byLabel = new Map(labels.map((label, index) => [label, index]));
	const byName = new Map<string, number>();
	for (const [index, label] of labels.entries()) {
		const name = lastName(label);
		byName.set(name, byName.has(name) ? -1 : index);
	}
	return (body) => {
		const { name, from } = bodies[body]!;
		return byLabel.get(from.prim ?? '') ?? byName.get(name) ?? -1;
	};
}

/**
 * Whether a finding is about the robot, and not about what glTF, which the picture is drawn from, cannot hold. Images that are missing
 * from the picture are told.
 */
function isOfRobot({ code, message }: Diagnostic): boolean {
	const lost: LossCode = 'texture-missing';
	return !code.startsWith('CNV') || message.startsWith(`${lost}:`);
}
