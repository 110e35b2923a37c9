import type { Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { RobotSpec } from './robot-spec.ts';

/** Tells which interfaces of an asset are off, and why; `display` says how names of files are shown. */
export function reportOff(spec: RobotSpec, report: Report, display: (file: string) => string): void {
	for (const { name, type, role, reason, isUnknownType, from } of spec.off) {
		const message = `${role} ${name}${type === '' ? '' : ` (${type})`} is off: ${reason}`;
		const shown = from?.file === undefined ? from : { ...from, file: display(from.file) };
		report.add(createDiagnostic(isUnknownType ? 'ROS001' : 'ROS004', message, shown));
	}
}

/** Whether simulated time can be counted in whole nanoseconds; tells when not. `dt` is in seconds. */
export function isCountable(dt: number, report: Report): boolean {
	const nanoseconds = dt * 1e9;
	if (nanoseconds >= 1 && Math.abs(nanoseconds - Math.round(nanoseconds)) < 1e-3) return true;
	report.add(createDiagnostic('ROS003', `the time step is ${nanoseconds} ns, expected a whole number`));
	return false;
}
