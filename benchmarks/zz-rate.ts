import { SapRun } from './tasks/sap-run.ts';
import { g1Recipe, anymalRecipe, shadowRecipe, clutterRecipe } from './tasks/sap-scenes.ts';
const scenes: Record<string, () => any> = { stand: () => g1Recipe('stand'), push: () => g1Recipe('push'), ragdoll: () => g1Recipe('ragdoll'), anymal: anymalRecipe, shadow: shadowRecipe, clutter: () => clutterRecipe(50) };
const [name, worlds] = [process.argv[2]!, Number(process.argv[3] ?? 256)];
const recipe = scenes[name]!();
const run = new SapRun(recipe, worlds, { engine: (process.argv[4] ?? 'wasm') as 'wasm' });
run.run(); run.run();
let best = Infinity;
for (let i = 0; i < Number(process.argv[5] ?? 5); i++) { const a = process.cpuUsage(); run.run(); const b = process.cpuUsage(a); best = Math.min(best, (b.user + b.system) / 1e6); }
let note = ''; try { run.check(); } catch (e) { note = String(e); }
console.log(name, worlds, (recipe.steps / best).toFixed(0), 'world-steps/s', (1e6 * best / recipe.steps).toFixed(1), 'us', 'iters', run.iterations / recipe.steps, 'contacts', run.contactCount / recipe.steps, note);
