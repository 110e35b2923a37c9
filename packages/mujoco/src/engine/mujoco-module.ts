/**
 * The part of the WebAssembly build of MuJoCo that is used. The declarations of the package do not compile without
 * `skipLibCheck`, so what users see of it is declared here.
 * @public
 */
export interface MujocoModule extends Readonly<Record<PipelineStep, (model: MjModel, data: MjData) => void>> {
	readonly MjModel: {
		from_xml_string(xml: string, files?: MjVFS): MjModel;
		from_xml_path(path: string, files?: MjVFS): MjModel;
		from_binary_path(path: string, files?: MjVFS): MjModel;
	};
	readonly MjData: new (model: MjModel) => MjData;
	readonly MjVFS: new () => MjVFS;
	readonly MjContact: new () => MjContact;
	readonly DoubleBuffer: {
		new (size: number): MjBuffer<Float64Array>;
		FromArray(values: ArrayLike<number>): MjBuffer<Float64Array>;
	};
	readonly Uint8Buffer: new (size: number) => MjBuffer<Uint8Array>;
	/** The file system in the engine's memory. */
	readonly FS: {
		mkdir(path: string): void;
		rmdir(path: string): void;
		unlink(path: string): void;
		writeFile(path: string, content: Uint8Array | string, options?: { readonly canOwn?: boolean }): void;
		readFile(path: string): Uint8Array;
	};
	readonly mjtObj: Readonly<Record<`mjOBJ_${MjObjectKind}`, MjEnumerator>>;
	mj_addContact(model: MjModel, data: MjData, contact: MjContact): number;
	mj_contactForce(model: MjModel, data: MjData, id: number, result: MjBuffer<Float64Array>): void;
	mj_forwardSkip(model: MjModel, data: MjData, stage: number, skipsSensors: number): void;
	mj_fullM(model: MjModel, data: MjData, result: MjBuffer<Float64Array>): void;
	mj_objectVelocity(
		model: MjModel,
		data: MjData,
		type: number,
		id: number,
		result: MjBuffer<Float64Array>,
		isLocal: number,
	): void;
	mj_id2name(model: MjModel, type: number, id: number): string;
	mj_name2id(model: MjModel, type: number, name: string): number;
	mj_sizeModel(model: MjModel): bigint;
	mj_saveModel(model: MjModel, path: string | null, buffer: MjBuffer<Uint8Array>): void;
}

/** Functions of the pipeline that take a model and its data. @public */
export type PipelineStep =
	| 'mj_step'
	| 'mj_forward'
	| 'mj_kinematics'
	| 'mj_comPos'
	| 'mj_comVel'
	| 'mj_crb'
	| 'mj_makeM'
	| 'mj_factorM'
	| 'mj_collision'
	| 'mj_makeConstraint'
	| 'mj_island'
	| 'mj_projectConstraint'
	| 'mj_transmission'
	| 'mj_sensorPos'
	| 'mj_checkPos'
	| 'mj_checkVel'
	| 'mj_checkAcc'
	| 'mj_fwdKinematics'
	| 'mj_Euler'
	| 'mj_implicit'
	| 'mj_rnePostConstraint'
	| 'mj_resetData'
	| 'mj_setConst';

/** Kinds of things with names. @public */
export type MjObjectKind = 'BODY' | 'JOINT' | 'GEOM' | 'SITE' | 'ACTUATOR' | 'TENDON' | 'MESH' | 'HFIELD';

/** A member of an enumeration of the engine. @public */
export interface MjEnumerator {
	readonly value: number;
}

/** What lives in the engine's memory until it is deleted. @public */
export interface MjHandle {
	delete(): void;
}

/** Numbers in the engine's memory. @public */
export interface MjBuffer<T> extends MjHandle {
	/** A view that is valid until the memory grows. */
	GetView(): T;
}

/** Files that a model is read from. @public */
export interface MjVFS extends MjHandle {
	addBuffer(name: string, content: Uint8Array): void;
}

/** A compiled model; its arrays are read by name. @public */
export interface MjModel extends MjHandle {
	readonly nq: number;
	readonly nv: number;
	readonly nu: number;
	readonly na: number;
	readonly nbody: number;
	readonly njnt: number;
	readonly ngeom: number;
	readonly nsite: number;
	readonly nmesh: number;
	readonly nhfield: number;
	readonly nmocap: number;
	readonly neq: number;
	readonly ntendon: number;
	readonly npair: number;
	readonly nexclude: number;
	readonly nkey: number;
	readonly opt: MjOption;
	readonly stat: MjStatistic;
}

/** State and results of a model. @public */
export interface MjData extends MjHandle {
	time: number;
	readonly qpos: Float64Array;
	readonly qvel: Float64Array;
	readonly qacc: Float64Array;
	readonly ctrl: Float64Array;
	readonly act: Float64Array;
	ncon: number;
	readonly ne: number;
	readonly contact: { get(index: number): MjContact | undefined; size(): number } & MjHandle;
}

/** A contact that was found or is given. @public */
export interface MjContact extends MjHandle {
	dim: number;
	/** [m] */
	dist: number;
	exclude: number;
	geom1: number;
	geom2: number;
	includemargin: number;
	efc_address: number;
	readonly pos: Float64Array;
	readonly frame: Float64Array;
	readonly friction: Float64Array;
	readonly solref: Float64Array;
	readonly solreffriction: Float64Array;
	readonly solimp: Float64Array;
	readonly geom: Int32Array;
	readonly flex: Int32Array;
	readonly elem: Int32Array;
	readonly vert: Int32Array;
}

/** Settings of the engine. @public */
export interface MjOption extends MjHandle {
	timestep: number;
	impratio: number;
	tolerance: number;
	ls_tolerance: number;
	ccd_tolerance: number;
	sleep_tolerance: number;
	density: number;
	viscosity: number;
	disableflags: number;
	enableflags: number;
	integrator: number;
	iterations: number;
	ccd_iterations: number;
	sdf_iterations: number;
	sdf_initpoints: number;
	ls_iterations: number;
	cone: number;
	solver: number;
	jacobian: number;
	readonly gravity: Float64Array;
	readonly wind: Float64Array;
	readonly magnetic: Float64Array;
}

/** Sizes of a model as a whole. @public */
export interface MjStatistic extends MjHandle {
	meaninertia: number;
	readonly center: Float64Array;
	extent: number;
	meanmass: number;
	meansize: number;
}
