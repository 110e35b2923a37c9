// Lets a program in another language learn: environments over standard input and output, see examples/python/manyworlds_env.py.
import { serveEnv } from '@manyworlds/envs';
import { openStdioChannel } from '@manyworlds/node';
import { createEnv, openAsset } from 'manyworlds';
import { cartPoleTask } from './cart-pole-task.ts';

const worlds = Number(process.argv[2] ?? 16);
const channel = openStdioChannel();
const robot = await openAsset(new URL('../robots/cart-pole/cart-pole.xml', import.meta.url));
const env = await createEnv(robot, cartPoleTask, { worlds, substeps: 4, ground: false });
await serveEnv(env, channel);
await env.dispose();
