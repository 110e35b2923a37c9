import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { checkName, checkRole, checkTypePresence } from './interface-parts.ts';
import type { Statement } from './statement.ts';

/** REP 2.5 and 2.6: services and actions. */
export const SECTION_2_5: readonly Statement[] = [
	{
		id: 'R2.5.1',
		section: '2.5',
		level: 'must',
		check: 'static',
		visit: (context, report) => checkParts(context, report, 'service'),
	},
	{
		id: 'R2.6.1',
		section: '2.6',
		level: 'must',
		check: 'static',
		visit: (context, report) => checkParts(context, report, 'action'),
	},
];

function checkParts(context: CheckContext, report: Reporter, noun: 'service' | 'action'): void {
	for (const found of RosView.of(context).interfaces) {
		if (found.schema.noun !== noun) continue;
		checkRole(context, report, found);
		checkName(context, report, found);
		checkTypePresence(context, report, found);
	}
}
