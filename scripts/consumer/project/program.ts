import { check, openAsset, Simulation } from 'manyworlds';

const robot = await openAsset('robots/egret/egret.usda');
const { report } = await check(robot);
console.log(`${robot.format} ${report.counts.error} errors`);
const simulation = await Simulation.create(robot, { worlds: 8, threads: 2 });
await simulation.step(10);
console.log(`${simulation.worldCount} worlds, ${simulation.bodyPose('base_link', 7).length} numbers a pose`);
await simulation.dispose();
