import { type Diagnostic, Report, type Severity } from '@manyworlds/core';
import { SEVERITIES } from '@manyworlds/core/internal';
import { type AssetStore, type Node, PathKind } from '@manyworlds/usd';
import { ARC_NAMES, ArcType, SourcePlaces } from '@manyworlds/usd/internal';
import type { CheckSettings } from './check-options.ts';
import type { CheckContext } from './context/check-context.ts';
import type { Place } from './context/place.ts';
import { createDiagnostic, REP_CODES } from './diagnostics.ts';
import { ALSO_BROKEN } from './overlaps.ts';
import type { Finding } from './reporter.ts';
import { AVAILABLE_FIXES } from './rules/available-fixes.ts';

/** Turns findings into diagnostics at the authoring site, each site once. */
export class FindingCollector {
	readonly report: Report;
	readonly #settings: CheckSettings;
	readonly #places: SourcePlaces;
	readonly #seen = new Set<string>();

	constructor(store: AssetStore, settings: CheckSettings) {
		this.#settings = settings;
		this.#places = new SourcePlaces(store, { excerpts: settings.excerpts });
		this.report = new Report({ cap: settings.maxFindings });
	}

	/** Takes a finding of the selection that the context has. */
	take(finding: Finding, context: CheckContext): void {
		const { rule, place, key } = finding;
		const severity = this.#severity(finding);
		if (severity === 'off') return;
		const site = `${rule.id}\n${place.layer.identifier}\n${place.path}\n${place.field ?? ''}\n${place.item ?? ''}\n${key ?? ''}`;
		if (this.#seen.has(site)) return;
		this.#seen.add(site);
		if (this.report.isFull(severity)) this.report.count(severity);
		else this.report.add(this.#diagnostic({ ...finding, place: context.onStage(place) }, severity, context.variants));
	}

	#severity(finding: Finding): Severity | 'off' {
		const { rule } = finding;
		const chosen = this.#settings.severities?.get(rule.id);
		if (chosen !== undefined) return chosen;
		const severity = finding.severity ?? REP_CODES[rule.id];
		const isTooGrave = rule.check === 'heuristic' && SEVERITIES.indexOf(severity) < SEVERITIES.indexOf('warning');
		return isTooGrave ? 'warning' : severity;
	}

	#diagnostic(finding: Finding, severity: Severity, variants: Readonly<Record<string, string>>): Diagnostic {
		const { rule, place, message, related, data } = finding;
		const arc = arcTrail(place.node);
		const also = ALSO_BROKEN[rule.id];
		const selections = { ...variants, ...variantsOf(place) };
		return createDiagnostic(rule.id, message, {
			severity,
			...this.#locate(place),
			...(!place.shown.isAbsoluteRoot && { prim: place.shown.toString() }),
			...(arc !== '' && { arc }),
			...(Object.keys(selections).length > 0 && { variants: selections }),
			...((related ?? also) !== undefined && {
				related: [
					...(related ?? []).map(({ place: other, message: text }) => {
						const { file, range } = this.#locate(other);
						return { message: text, file, ...(range && { range }), prim: other.shown.toString() };
					}),
					...(also === undefined ? [] : [{ message: `also breaks ${also.join(', ')}` }]),
				],
			}),
			data: {
				section: rule.section,
				...(rule.fix && AVAILABLE_FIXES.has(rule.id) && { family: rule.fix.family }),
				...data,
			},
		});
	}

	#locate({ layer, path, field, item }: Place): ReturnType<SourcePlaces['spec']> {
		return field === undefined ? this.#places.spec(layer, path) : this.#places.field(layer, path, field, item);
	}
}

/** The arcs from the root of the stage to an opinion: `payload > reference`; variants are told elsewhere. */
function arcTrail(node: Node | undefined): string {
	const names: string[] = [];
	for (let at: Node | null | undefined = node; at; at = at.parent) {
		if (at.arcType !== ArcType.root && at.arcType !== ArcType.variant) names.push(ARC_NAMES[at.arcType]!);
	}
	return names.reverse().join(' > ');
}

/** Variants that an opinion is inside of, on its way to the stage and in its layer. */
function variantsOf({ node, path }: Place): Record<string, string> {
	const found: Record<string, string> = {};
	const visit = (start: Place['path']): void => {
		for (let at: Place['path'] | null = start; at !== null; at = at.parent) {
			if (at.kind === PathKind.variant && at.variantSelection !== '') found[at.variantSet] = at.variantSelection;
		}
	};
	for (let at: Node | null | undefined = node; at; at = at.parent) visit(at.path);
	visit(path);
	return found;
}
