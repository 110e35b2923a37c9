export {
	type ActionGoal,
	type ActionHandler,
	type ActionOptions,
	ActionServer,
	GoalStatus,
} from './bus/action-server.ts';
export { type ParameterOptions, ParameterServer, type ParameterValue } from './bus/parameter-server.ts';
export { QOS_DEFAULTS, QOS_LATCHED, type Qos } from './bus/qos.ts';
export {
	type BusSink,
	Publisher,
	RosBus,
	type RosBusOptions,
	type Service,
	type ServiceOptions,
	Subscription,
	type TopicOptions,
} from './bus/ros-bus.ts';
export {
	FOXGLOVE_DEFAULTS,
	type FoxgloveConnection,
	type FoxglovePlayback,
	FoxgloveServer,
	type FoxgloveServerOptions,
} from './foxglove/foxglove-server.ts';
export {
	MCAP_DEFAULTS,
	type McapCompressor,
	McapSink,
	type McapSinkOptions,
	type McapTarget,
} from './mcap/mcap-sink.ts';
export type { Decoded, MessageCodec, RosMessage } from './msg/message-codec.ts';
export type {
	MessageConstant,
	MessageDefinition,
	MessageField,
	Multiplicity,
	PrimitiveName,
} from './msg/message-definition.ts';
export { type InterfaceText, TypeRegistry } from './msg/type-registry.ts';
export type { Entity, EntityHost, SpawnRequest } from './robot/entity-services.ts';
export { RobotRuntime, type RobotRuntimeOptions, type RobotSimulation } from './robot/robot-runtime.ts';
export { SimulationControl, type SimulationControlOptions } from './robot/simulation-control.ts';
export {
	ROSBRIDGE_DEFAULTS,
	type RosbridgeConnection,
	RosbridgeServer,
	type RosbridgeServerOptions,
} from './rosbridge/rosbridge-server.ts';
export type { EndpointData, EndpointQos } from './rtps/endpoint-data.ts';
export type { Locator } from './rtps/locator.ts';
export { type ParticipantOptions, type RtpsHost, RtpsParticipant } from './rtps/participant.ts';
export { RtpsSink, type RtpsSinkOptions } from './rtps/rtps-sink.ts';
export type {
	ActionSpec,
	CameraSpec,
	ControllerSpec,
	DiffDriveSpec,
	FrameSpec,
	InterfaceOff,
	JointSpec,
	RobotSpec,
	SensorSpec,
	TopicSpec,
	TrajectorySpec,
} from './spec/robot-spec.ts';
export { type JointHardware, type SpecFromModelOptions, specFromModel } from './spec/spec-from-model.ts';
export { specFromStage } from './spec/spec-from-stage.ts';
