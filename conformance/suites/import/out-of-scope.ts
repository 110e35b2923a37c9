import type { Skipped } from '../../src/suite.ts';
import type { StepOutcome } from './call-importer.ts';
import type { ImportCase } from './import-case.ts';

/** Names of features that are not simulated here, as diagnostics say them. */
const FEATURES = /cloth|soft bod|deformable|particle|cable|splat|tetrahedr|attachment|point cloud|MPM|curve/i;

/**
 * Why a case is left out: it is about something that is not simulated here, and the import says so by name. Undefined for
 * cases to compare; an out-of-scope one that is imported in silence is compared, and fails.
 */
export function outOfScope(it: ImportCase, outcome: StepOutcome): Skipped | undefined {
	const arrays = it.model?.arrays ?? {};
	const isBeyond =
		it.tags.includes('out-of-scope') ||
		['particle_q', 'tet_indices', 'tri_indices'].some((name) => name in arrays) ||
		(it.model?.counts.gaussians_count ?? 0) > 0;
	if (!isBeyond) return undefined;
	const said = outcome.diagnostics.find(({ message }) => FEATURES.test(message));
	return said === undefined ? undefined : { skipped: `${said.code} ${said.message}` };
}
