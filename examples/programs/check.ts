// Checks a robot by the rules of REP 0158 and says where it breaks them.
import { check, openAsset } from 'manyworlds';

const robot = await openAsset(new URL('../robots/heron/heron.usda', import.meta.url));
const { report, selectionCount } = await check(robot);
console.log(`${selectionCount} variant selections, ${report.counts.error} errors, ${report.counts.warning} warnings`);
for (const { code, severity, message, file, range } of report.toArray().slice(0, 5)) {
	console.log(`${file?.split('/').at(-1)}:${range?.start.line ?? 0} ${severity} ${code} ${message}`);
}
