export { type Decoded, MessageCodec, type RosMessage } from './msg/message-codec.ts';
export type {
	MessageConstant,
	MessageDefinition,
	MessageField,
	Multiplicity,
	PrimitiveName,
} from './msg/message-definition.ts';
export { type InterfaceText, TypeRegistry } from './msg/type-registry.ts';
