import { Report } from '@manyworlds/core';
import type { MjcfElement } from '@manyworlds/formats';
import type { Model } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import { CONVERT_DEFAULTS, type ConvertOptions, type ConvertSettings, resolveOptions } from '../solver-options.ts';
import { addBodies } from './add-bodies.ts';
import { addContacts } from './add-contacts.ts';
import { addDirectActuators } from './add-direct-actuators.ts';
import { addEqualities, addTendonEqualities } from './add-equalities.ts';
import { addTendons } from './add-tendons.ts';
import { type Conversion, MjcfSections } from './conversion.ts';
import { bodiesOfUnequalInertia } from './general-inertia.ts';
import { planJoints } from './joint-plan.ts';
import { MujocoAttributes } from './mujoco-attributes.ts';
import { collidesWithCarriers } from './parent-contacts.ts';
import { refuseNumbers } from './refuse-numbers.ts';
import { reportUnrepresented } from './report-unrepresented.ts';
import { planShapes, type ShapePlan } from './shape-plan.ts';
import { SolrefMode } from './solref.ts';
import { selectTemplateWorld } from './template-world.ts';
import { copiedAttributes } from './value-table.ts';

/**
 * Converts a model to MJCF: a document, the files it refers to, and where everything went. The document is what is
 * compiled and what `saveToMjcf` writes. Throws `MujocoError` for models that MuJoCo cannot hold.
 */
export function convertModel(model: Model, options: ConvertOptions = {}): Conversion {
	const settings: ConvertSettings = { ...CONVERT_DEFAULTS, ...options };
	const report = new Report();
	const attributes = new MujocoAttributes(model);
	const resolved = resolveOptions(model, options);
	const template = selectTemplateWorld(model);
	const plan = planJoints(model, template, attributes, settings, report);
	const shapes = planShapes(model, template, attributes, settings, report);
	const conversion: Conversion = {
		model,
		options: settings,
		resolved,
		attributes,
		template,
		plan,
		report,
		bodyElements: new Map(),
		bodyNames: new Map(),
		jointNames: new Map(),
		dofNames: new Map(),
		geomNames: new Map(),
		siteNames: new Map(),
		tendons: [],
		pairRows: [],
		equalities: [],
		actuators: [],
		files: new Map(),
		sections: new MjcfSections(),
		subjects: new Map(),
		zeroMargins: shapes.zeroMargins,
		shapes,
		generalBodies: new Set([...settings.generalBodies, ...bodiesOfUnequalInertia(model, template)]),
	};
	warnAboutContactGains(conversion);
	writeOptions(conversion, shapes);
	addBodies(conversion, shapes);
	addContacts(conversion, shapes);
	addEqualities(conversion);
	addTendons(conversion);
	addTendonEqualities(conversion);
	addDirectActuators(conversion);
	reportUnrepresented(conversion, shapes);
	removeEmptySections(conversion.sections.root);
	refuseNumbers(conversion);
	return conversion;
}

function warnAboutContactGains(conversion: Conversion): void {
	const modes = conversion.attributes.numbers('solref_mode');
	if (modes === undefined || !conversion.options.useMujocoContacts) return;
	let count = 0;
	for (let i = 0; i < modes.length; i++) if (Number(modes[i]) === SolrefMode.FORCE_SPACE) count++;
	if (count === 0) return;
	conversion.report.add(
		createDiagnostic(
			'MJC016',
			`${count} shapes ask for force-space contact gains, which MuJoCo's own contacts cannot follow`,
		),
	);
}

function writeOptions(conversion: Conversion, shapes: ShapePlan): void {
	const { options, resolved, template, sections, attributes } = conversion;
	const { counts } = resolved;
	sections.compiler
		.set('angle', 'radian')
		.set('autolimits', resolved.autolimits)
		.set('inertiafromgeom', 'auto')
		.set('alignfree', false);
	const world = Math.max(template.world, 0);
	sections.option
		.set('integrator', INTEGRATORS[resolved.integrator])
		.set('solver', SOLVERS[resolved.solver])
		.set('cone', resolved.cone)
		.set('jacobian', resolved.jacobian)
		.set('iterations', counts.iterations)
		.set('ls_iterations', counts.lsIterations)
		.set('ccd_iterations', counts.ccdIterations)
		.set('sdf_iterations', counts.sdfIterations)
		.set('sdf_initpoints', counts.sdfInitpoints);
	for (const [name, value] of Object.entries(copiedAttributes(conversion, 'option', world)))
		sections.option.set(name, value);
	for (const [name, value] of Object.entries(attributes.written('option', 0))) sections.option.set(name, value);
	const flags: Record<string, string> = attributes.written('flag', 0);
	if (!options.enableMulticcd) flags['multiccd'] = 'disable';
	if (!options.newtonCompat && collidesWithCarriers(conversion, shapes, false)) flags['filterparent'] = 'disable';
	if (options.disableContacts) flags['contact'] = 'disable';
	if (options.disableSensors) flags['sensor'] = 'disable';
	if (resolved.enableSleeping) flags['sleep'] = 'enable';
	if (Object.keys(flags).length > 0) sections.option.add('flag', flags);
	if (options.arenaBytes !== undefined) sections.size.set('memory', String(options.arenaBytes));
}

const INTEGRATORS = { euler: 'Euler', rk4: 'RK4', implicit: 'implicit', implicitfast: 'implicitfast' } as const;
const SOLVERS = { cg: 'CG', newton: 'Newton' } as const;

function removeEmptySections(root: MjcfElement): void {
	for (const section of root.children.slice()) {
		const isNeeded = section.name === 'worldbody' || section.children.length > 0 || section.attributes.length > 0;
		if (!isNeeded) root.remove(section);
	}
}
