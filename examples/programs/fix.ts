// Puts a robot right in memory and says what would change; nothing is written.
import { fix, openAsset } from 'manyworlds';

const text = `#usda 1.0
( # the units are missing
    defaultPrim = "robot"
)
def Xform "robot" (kind = "component") {}
`;
const robot = await openAsset({ files: { 'robot.usda': text }, entry: 'robot.usda' });
const { files, plan } = await fix(robot);
console.log(`${plan.items.length} changes in ${files.length} file`);
for (const { bytes } of files) console.log(new TextDecoder().decode(bytes));
