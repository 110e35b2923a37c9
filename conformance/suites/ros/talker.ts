import { openRtps } from '@manyworlds/node';
import { ActionServer, RosBus, RtpsSink, TypeRegistry } from '@manyworlds/ros';

/**
 * A small node for peers: `/chatter` with `RUN:NUMBER` at 50 Hz and the action `/fibonacci`. Arguments: the domain, how often it
 * starts, how long each run lasts [s], and the pause between runs [s].
 */
const [domain = 0, runs = 1, seconds = 3, pause = 1] = process.argv.slice(2).map(Number);
const FIBONACCI = 'int32 order\n---\nint32[] sequence\n---\nint32[] sequence\n';
const types = TypeRegistry.standard.with([{ type: 'test_msgs/action/Fibonacci', text: FIBONACCI }]);
const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

process.stdout.write('ready\n');
for (let run = 0; run < runs; run++) {
	const opened = await openRtps({ domain });
	const bus = new RosBus({ types, domain });
	const sink = new RtpsSink(opened.participant, { types, nodeName: 'talker', nodeNamespace: '/' });
	bus.attach(sink);
	const chatter = bus.advertise({ name: '/chatter', type: 'std_msgs/msg/String' });
	new ActionServer(
		bus,
		{ name: '/fibonacci', type: 'test_msgs/action/Fibonacci' },
		{
			accepts: (goal) => (goal['order'] as number) >= 0,
			start: (goal) => {
				const sequence = [0, 1];
				const step = (): void => {
					if (goal.hasEnded) return;
					if (sequence.length > (goal.goal['order'] as number)) {
						goal.succeed({ sequence });
						return;
					}
					sequence.push(sequence.at(-1)! + sequence.at(-2)!);
					goal.feedback({ sequence });
					setTimeout(step, 50);
				};
				setTimeout(step, 50);
			},
			cancel: (goal) => {
				goal.canceled({ sequence: [-1] });
				return true;
			},
		},
	);
	let number = 0;
	const talk = setInterval(() => chatter.publish({ data: `${run}:${number++}` }), 20);
	const tick = setInterval(() => sink.tick(), 20);
	await sleep(1000 * seconds);
	clearInterval(talk);
	clearInterval(tick);
	sink.close();
	await opened.close();
	await sleep(1000 * pause);
}
process.exit(0);
