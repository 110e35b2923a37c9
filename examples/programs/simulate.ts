// Loads a robot, drives its joints, steps 100 worlds and reads where its bodies are.
import { openAsset, Simulation } from 'manyworlds';

const robot = await openAsset(new URL('../robots/crane/crane.xml', import.meta.url));
const simulation = await Simulation.create(robot, { worlds: 100 });
simulation.setTargets({ shoulder: 0.6 });
await simulation.step(250);
const [x, y, z] = simulation.bodyPose('lower', 99);
console.log(`${simulation.worldCount} worlds at ${simulation.time} s, ${simulation.contacts().rigidCount} contacts`);
console.log(`lower arm of world 99 at ${x!.toFixed(3)} ${y!.toFixed(3)} ${z!.toFixed(3)} m`);
await simulation.dispose();
