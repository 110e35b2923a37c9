export type { EnvField } from './env-field.ts';
export { EnvWorlds } from './env-worlds.ts';
export type { RandomDraws } from './random-draws.ts';
export { type ByteChannel, serveEnv } from './serve/serve-env.ts';
export {
	type ActionTerm,
	type BoundAction,
	type JointActionOptions,
	type JointPdOptions,
	jointEfforts,
	jointPd,
	jointTargets,
	jointTargetVelocities,
} from './terms/action-term.ts';
export {
	type BodyVelocityOptions,
	bodyPosition,
	bodyRotation,
	bodyVelocity,
	gravityDirection,
	type RelativeOptions,
} from './terms/body-observations.ts';
export {
	type JointChoice,
	type JointPositionOptions,
	jointPositions,
	jointVelocities,
	lastActions,
} from './terms/joint-observations.ts';
export type { BoundObservation, ObservationTerm } from './terms/observation-term.ts';
export {
	type RandomFrictionOptions,
	type RandomGainOptions,
	type RandomMassOptions,
	randomFriction,
	randomGains,
	randomMasses,
} from './terms/random-model.ts';
export {
	type PushOptions,
	pushes,
	type RandomBaseOptions,
	type RandomJointOptions,
	randomBase,
	randomJoints,
} from './terms/random-state.ts';
export type { BoundRandom, RandomTerm, Span } from './terms/random-term.ts';
export {
	type BodyRay,
	contactForces,
	type ImuPlace,
	imuReadings,
	noisy,
	type RayDistanceOptions,
	rayDistances,
} from './terms/sensor-observations.ts';
export { CmaEs, type CmaEsOptions } from './train/cma-es.ts';
export { type LayeredPolicyOptions, layeredPolicy, type Policy } from './train/policy.ts';
export { type ScoreOptions, scoreCandidates } from './train/score-candidates.ts';
export {
	type EnvTask,
	type RewardTerm,
	type TerminationTerm,
	VECTOR_ENV_DEFAULTS,
	VectorEnv,
	type VectorEnvOptions,
} from './vector-env.ts';
