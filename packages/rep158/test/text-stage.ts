import { Report } from '@manyworlds/core';
import { Layer, readUsda, Stage } from '@manyworlds/usd';

/** A stage from the body of one text layer; braces may stand on any line. */
export function textStage(body: string): Stage {
	const report = new Report();
	const text = `#usda 1.0\n${body.replaceAll('}', '\n}\n')}`;
	const data = readUsda(new TextEncoder().encode(text), { file: 'test.usda', report });
	const [fault] = report.toArray();
	if (fault !== undefined) throw new Error(fault.message);
	return Stage.open(new Layer('test.usda', data));
}
