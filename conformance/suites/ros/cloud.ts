import { openRtps } from '@manyworlds/node';
import { RosBus, RtpsSink, TypeRegistry } from '@manyworlds/ros';

/**
 * A node with large messages for peers: `/cloud`, numbered in its width, at a rate. Arguments: the domain, the size of a message
 * [bytes], the rate [Hz], how many of 100 datagrams are lost on their way out and in, and how many messages are kept (0: all).
 */
const [domain = 0, size = 4_000_000, rate = 10, loss = 0, depth = 5] = process.argv.slice(2).map(Number);
const types = TypeRegistry.standard;
let draw = 1;
/** Whether the next datagram gets lost: a sequence that is the same in each run. */
function isLost(): boolean {
	draw = (Math.imul(draw, 1664525) + 1013904223) >>> 0;
	return (draw >>> 8) % 100 < loss;
}
const opened = await openRtps({ domain, isLost });
const bus = new RosBus({ types, domain });
const sink = new RtpsSink(opened.participant, { types, nodeName: 'cloud', nodeNamespace: '/' });
bus.attach(sink);
const cloud = bus.advertise({ name: '/cloud', type: 'sensor_msgs/msg/PointCloud2', qos: { depth } });
const chatter = bus.advertise({ name: '/chatter', type: 'std_msgs/msg/String', qos: { depth: 100 } });
const data = Uint8Array.from({ length: size }, (_, i) => i % 251);
let number = 0;
setInterval(() => {
	number++;
	cloud.publish({ header: { frame_id: 'cloud' }, height: 1, width: number, point_step: 1, row_step: size, data });
	chatter.publish({ data: String(number) });
}, 1000 / rate);
setInterval(() => sink.tick(), 20);
process.stdout.write('ready\n');
process.on('SIGINT', () => {
	sink.close();
	void opened.close().then(() => process.exit(0));
});
