import type { CodeHelp } from '@manyworlds/core/internal';
import type { REP_2_CODES } from '../rep-2.ts';

/** What to do about the codes of REP 0158 section 2: ROS contexts, interfaces, frames. */
export const REP_2_HELP: Readonly<Record<keyof typeof REP_2_CODES, CodeHelp>> = {
	'R2.0.1': {
		title: 'Interface exists twice',
		help: 'An interface that a `Ros*API` schema declares must not also be an execution graph that publishes the same topic.',
	},
	'R2.0.2': {
		title: 'Runtime artefact outside of a vendor layer',
		help: 'Execution graphs that a simulator saved stay in its proprietary layer.',
	},
	'R2.1.1': {
		title: 'Interfaces without a context',
		help: 'The root prim of an asset with ROS interfaces may carry RosContextAPI, which gives them a namespace.',
	},
	'R2.1.2': {
		title: 'Domain is no ROS domain',
		help: '`ros:context:domain_id` is an int from 0 to 232; 0 to 101 works on every platform.',
	},
	'R2.1.3': {
		title: 'Parent frame on a nested context',
		help: '`ros:context:parent_frame` counts on the outermost context of a robot only and is ignored elsewhere.',
	},
	'R2.1.1.1': {
		title: 'Namespace is no single name',
		help: 'A composable namespace is one bare name: no slash at either end or inside, no `~`, no braces.',
	},
	'R2.1.1.2': {
		title: 'Absolute namespace resets the chain',
		help: 'A leading slash makes a namespace absolute: those of the ancestors are ignored.',
	},
	'R2.1.1.3': {
		title: 'Namespaces are joined from the top',
		help: 'The namespaces of all contexts above are joined by slashes; empty ones add nothing.',
	},
	'R2.1.1.4': {
		title: 'The nearest domain counts',
		help: 'The domain of an interface is that of the nearest context above it that has one.',
	},
	'R2.1.1.5': {
		title: 'One tf topic for each robot',
		help: 'All frames of a robot go to one `/tf` and `/tf_static`, in the namespace of its outermost context.',
	},
	'R2.1.1.6': {
		title: 'Sub-namespace on a tf topic',
		help: 'Namespaces of nested contexts must not be appended to the tf topics.',
	},
	'R2.1.1.7': {
		title: 'Robots share a namespace',
		help: 'Every robot on the stage has its own root namespace.',
	},
	'R2.1.1.8': {
		title: 'Namespace differs from the prim name',
		help: 'The namespace of a robot should be the name of its prim.',
	},
	'R2.1.1.9': {
		title: 'Root namespace is not on the defaultPrim',
		help: 'A module authors its root namespace on its default prim.',
	},
	'R2.1.1.10': {
		title: 'Namespace override below the arc',
		help: 'A namespace is overridden on the prim that holds the reference, not on what it brings.',
	},
	'R2.1.1.11': {
		title: 'Copies of a module share a namespace',
		help: 'Each reference to the same module has a namespace of its own, authored locally.',
	},
	'R2.1.1.12': {
		title: 'Context inside a payload',
		help: 'RosContextAPI is there without loading payloads.',
	},
	'R2.1.1.13': {
		title: 'Instanceable module with interfaces',
		help: 'A module whose namespace is to be overridden should not be instanceable.',
	},
	'R2.2.1': {
		title: 'Robot-wide interface on a physical prim',
		help: 'Interfaces of the whole robot should be on logical prims below the context, not on links.',
	},
	'R2.2.2': {
		title: 'Sensor interface is not below its link',
		help: 'The interface of a sensor is on an Xform below the link that carries it.',
	},
	'R2.2.3': {
		title: 'Several interfaces on one prim',
		help: 'A prim has one of RosTopicAPI, RosServiceAPI and RosActionAPI.',
	},
	'R2.2.4': {
		title: 'Interface inside a payload',
		help: 'Prims with ROS interfaces or frames are there without loading payloads.',
	},
	'R2.3.1': {
		title: 'Interface type is unknown',
		help: 'The type of an interface is looked up in the known ROS packages.',
	},
	'R2.3.2': {
		title: 'Unknown types disable one interface',
		help: 'An interface of an unknown type is disabled; the rest of the asset works.',
	},
	'R2.3.3': {
		title: 'Name is no ROS name',
		help: 'Names of interfaces have letters, digits, underscores and slashes, and no part starts with a digit.',
	},
	'R2.3.4': {
		title: 'Attribute starts_enabled is no bool',
		help: '`starts_enabled` of an interface is a bool.',
	},
	'R2.3.5': {
		title: 'Type is not written as package/kind/Name',
		help: 'A type is `package/msg/Name` for topics, `package/srv/Name` for services, `package/action/Name` for actions.',
	},
	'R2.3.6': {
		title: 'ROS attribute does not fit its schema',
		help: 'Attributes in the namespace `ros:` are uniform, of the declared type, known, and on prims that apply the schema.',
	},
	'R2.3.7': {
		title: 'Interfaces contradict each other',
		help: 'Two interfaces of one domain with the same name have the same type, and a service or action has one server.',
	},
	'R2.4.1': {
		title: 'Topic without a role',
		help: '`ros:topic:role` is `publisher` or `subscription`.',
	},
	'R2.4.2': {
		title: 'Topic without a name',
		help: '`ros:topic:name` is not empty.',
	},
	'R2.4.3': {
		title: 'Topic without a type',
		help: '`ros:topic:type` is not empty.',
	},
	'R2.4.4': {
		title: 'Publisher without a rate',
		help: 'A publisher has a finite `ros:topic:publish_rate` greater than 0, in hertz.',
	},
	'R2.4.5': {
		title: 'Overridden frame is one of the stage',
		help: '`ros:topic:override_frame_id` is for frames that cannot exist on the stage, such as `map`.',
	},
	'R2.4.6': {
		title: 'Overridden frame without a header',
		help: 'Overriding the frame does something only for messages with a std_msgs/Header.',
	},
	'R2.4.7': {
		title: 'Unknown quality of service',
		help: 'Reliability, durability and history have the values that the schema lists.',
	},
	'R2.4.8': {
		title: 'Attribute match_publisher on a publisher',
		help: '`ros:topic:qos:match_publisher` is a bool for subscriptions.',
	},
	'R2.4.9': {
		title: 'Unusable queue depth',
		help: '`ros:topic:qos:depth` is an int, greater than 0 with the history `keep_last`.',
	},
	'R2.4.10': {
		title: 'Map publisher is not transient_local',
		help: 'Publishers of maps should be `transient_local`; sensors should leave the system default.',
	},
	'R2.4.11': {
		title: 'Omitted quality of service has defaults',
		help: 'Simulators assume the declared defaults for what is not authored.',
	},
	'R2.5.1': {
		title: 'Service is incomplete',
		help: 'A service has a role (`server` or `client`), a name and a type.',
	},
	'R2.6.1': {
		title: 'Action is incomplete',
		help: 'An action has a role (`server` or `client`), a name and a type.',
	},
	'R2.7.1': {
		title: 'Not every body is a frame',
		help: 'Simulators do not broadcast a transform for every rigid body.',
	},
	'R2.7.2': {
		title: 'Implicit frames',
		help: 'Contexts, and bodies that joints connect with them, are frames.',
	},
	'R2.7.3': {
		title: 'Static and moving frames',
		help: 'Frames behind fixed joints or rigid nesting go to `/tf_static`, those behind movable joints to `/tf`.',
	},
	'R2.7.4': {
		title: 'Interface without a frame',
		help: 'The frame of an interface is its nearest ancestor that is one; a message with a header needs one.',
	},
	'R2.7.5': {
		title: 'RosFrameAPI on a prim that is no Xform',
		help: 'Frames that are no bodies are Xform prims with RosFrameAPI.',
	},
	'R2.7.6': {
		title: 'Frame id is unusable',
		help: 'A frame id has letters, digits, underscores, slashes, dots and dashes, and does not start with a slash.',
	},
	'R2.7.7': {
		title: 'Static frame moves',
		help: '`ros:frame:static` is a bool; a frame that moves says false, one that does not says true.',
	},
	'R2.7.8': {
		title: 'Static frames are relative to their parents',
		help: 'An explicit static frame is given relative to the nearest frame above it.',
	},
	'R2.7.9': {
		title: 'Frames are no tree',
		help: 'Frame names are unique in a robot, each frame has one parent, and all hang from one root.',
	},
	'R2.8.1': {
		title: 'Camera without an optical frame',
		help: 'A camera with ROS interfaces has a child Xform turned by 180 degrees about X: USD cameras look along -Z, ROS optical frames along +Z.',
	},
	'R2.8.2': {
		title: 'Camera interface is not on the optical frame',
		help: 'Topics and the frame of a camera are on its optical frame, or below it.',
	},
	'R2.9.1': {
		title: 'Asset publishes /clock',
		help: 'Simulation time is the business of the simulator.',
	},
	'R2.9.2': {
		title: 'Interface of the simulator',
		help: 'Messages of type rosgraph_msgs/msg/Clock and the interfaces of simulation_interfaces are not part of assets.',
	},
	'R2.10.1': {
		title: 'Joint without ros:joint:name',
		help: 'A joint may have a ROS name, the string `ros:joint:name`; it is needed where the prim name cannot be the name.',
	},
	'R2.10.2': {
		title: 'The ROS name is the identity of a joint',
		help: 'Joint states, trajectories and exports use the authored name.',
	},
	'R2.10.3': {
		title: 'Joint name differs from the prim name',
		help: 'The ROS name of a joint should be its prim name where that is legal.',
	},
	'R2.10.4': {
		title: 'Joints fall back to the prim name',
		help: 'A joint without a ROS name is known by its prim name.',
	},
	'R2.10.5': {
		title: 'Joints share a ROS name',
		help: 'Joint names are unique in a robot.',
	},
};
