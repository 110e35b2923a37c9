// Writes a robot as a USD package and as MJCF.
import { convert, openAsset } from 'manyworlds';

const robot = await openAsset(new URL('../robots/heron/heron.usda', import.meta.url));
const packed = await convert(robot, 'usdz');
const saved = await convert(robot, 'mjcf');
const first = new TextDecoder().decode(saved.bytes).split('\n', 1)[0];
console.log(`usdz: ${packed.bytes.length > 0 ? 'written' : 'empty'}, mjcf: ${first} with ${saved.files.size} files`);
