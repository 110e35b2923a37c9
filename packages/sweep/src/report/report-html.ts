import type { SweepPlan } from '../plan/plan.ts';
import { RUN_STATUSES, type RunStatus } from '../result/run-result.ts';
import { type TableCell, type TableEntry, tableColumns } from '../result/table.ts';
import { REPORT_SCRIPT } from './report-script.ts';
import { REPORT_STYLE } from './report-style.ts';
import { explainedShare, rankCorrelation, type Sensitivity } from './sensitivity.ts';

/** What {@link reportHtml} shows. @public */
export interface ReportSubject {
	readonly plan: SweepPlan;
	readonly tool: string;
	/** Runs of the plan before constraints. */
	readonly count: number;
	/** Committed runs in order. */
	readonly entries: Iterable<TableEntry>;
	/** How long a run took [s], where that is known. */
	readonly seconds: (key: string) => number | undefined;
	/** The command that repeats a run. */
	readonly command: (index: number) => string;
	/** Where a running sweep is. */
	readonly progress?: string;
}

/** Runs that plots show at most; of more every n-th is shown, and the page says so. */
const MOST_SHOWN = 4000;
/** Runs that sensitivities are computed of at most. */
const MOST_KEPT = 20_000;
/** Failures that are listed at most. */
const MOST_FAILURES = 200;

/** A column of the page. */
interface Column {
	readonly name: string;
	readonly kind: 'parameter' | 'metric';
	/** Texts in their order; undefined for numbers. */
	readonly texts?: readonly string[];
}

/**
 * A page about a sweep that stands alone: parallel coordinates, a scatter plot, histograms, how metrics depend on parameters, and
 * failures with the command that repeats each. @public
 */
export function reportHtml(subject: ReportSubject): string {
	const { plan, tool, count } = subject;
	const byStatus: Record<RunStatus, number> = { ok: 0, diverged: 0, refused: 0, timeout: 0, crashed: 0 };
	const rows: { readonly index: number; readonly cells: readonly TableCell[]; readonly status: RunStatus }[] = [];
	const failures: string[] = [];
	let seconds = 0;
	let steps = 0;
	let timed = 0;
	let committed = 0;
	const stride = Math.max(1, Math.ceil(count / MOST_KEPT));
	const columns = tableColumns(plan, tool).filter(({ name }) => /^(?:p_|m_|n_)/.test(name));
	for (const entry of subject.entries) {
		const { run, result } = entry;
		byStatus[result.status]++;
		steps += result.steps;
		const time = subject.seconds(result.key);
		if (time !== undefined) {
			seconds += time;
			timed++;
		}
		// of a large sweep every n-th is kept
		if (committed++ % stride === 0)
			rows.push({ index: run.index, cells: columns.map(({ of }) => of(entry)), status: result.status });
		if (result.status !== 'ok' && failures.length < MOST_FAILURES) failures.push(failureRow(entry, subject));
	}
	const every = Math.max(1, Math.ceil(rows.length / MOST_SHOWN));
	const shown = rows.filter((_, i) => i % every === 0);
	const described = columns.map(({ name, type }, i): Column => {
		const kind = name.startsWith('p_') ? 'parameter' : 'metric';
		const label = name.slice(2);
		if (type === 'DOUBLE' || type === 'INT64') return { name: label, kind };
		return { name: label, kind, texts: [...new Set(rows.map(({ cells }) => String(cells[i])))].sort() };
	});
	const data = {
		columns: described,
		rows: shown.map(({ index, cells, status }) => [
			index,
			RUN_STATUSES.indexOf(status),
			...cells.map((cell, i) => plotted(cell, described[i]!)),
		]),
		command: subject.command(0).replace(/\d+$/, ''),
	};
	const failed = committed - byStatus.ok;
	const facts: (readonly [string, string])[] = [
		['committed', `${committed.toLocaleString('en')} of ${count.toLocaleString('en')}`],
		['ok', byStatus.ok.toLocaleString('en')],
		[
			'failed',
			failed === 0
				? 'none'
				: RUN_STATUSES.filter((status) => status !== 'ok' && byStatus[status] > 0)
						.map((status) => `${byStatus[status]} ${status}`)
						.join(', '),
		],
		...(plan.task === 'simulate' ? ([['steps', steps.toLocaleString('en')]] as const) : []),
		...(timed > 0 ? ([['mean time of a run', `${(seconds / timed).toPrecision(3)} s`]] as const) : []),
	];
	const isPlotted = described.length > 0 && shown.length > 0;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${subject.progress === undefined ? '' : '<meta http-equiv="refresh" content="30">\n'}<title>${escapeHtml(plan.name)} · sweep</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header>
<p class="eyebrow">Manyworlds sweep</p>
<h1>${escapeHtml(plan.name)}</h1>
<p class="sub">${escapeHtml(plan.task === 'check' ? plan.assets.join(', ') : plan.asset)} · ${escapeHtml(samplerText(plan))} · ${escapeHtml(tool)}</p>
${subject.progress === undefined ? '' : `<p class="running">running: ${escapeHtml(subject.progress)}</p>`}
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
</header>
<main>
${isPlotted ? plotSections(every * stride, shown.length, committed) : '<p class="empty">Nothing to plot yet.</p>'}
${sensitivitySection(described, rows)}
${failureSection(failures, failed)}
</main>
<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${REPORT_SCRIPT}</script>
</body>
</html>
`;
}

function plotSections(every: number, shown: number, all: number): string {
	const note =
		every === 1
			? ''
			: `<p class="note">Plots show every ${every}th run: ${shown.toLocaleString('en')} of ${all.toLocaleString('en')}.</p>`;
	return `${note}
<section><div class="head"><h2>Parallel coordinates</h2><label>colour <select id="colour"></select></label></div>
<p class="hint">Each line is a run. Drag along an axis to keep a range; click the axis to let go. All plots follow.</p>
<div class="wide"><canvas id="parallel" height="340" role="img" aria-label="parallel coordinates of all parameters and metrics"></canvas></div></section>
<div class="two">
<section><div class="head"><h2>Scatter</h2><label>x <select id="x"></select></label><label>y <select id="y"></select></label></div>
<canvas id="scatter" height="360" role="img" aria-label="scatter plot of two columns"></canvas><p class="hint" id="picked">Point at a run to see it.</p></section>
<section><div class="head"><h2>Histograms</h2></div><div id="histograms" class="small"></div></section>
</div>`;
}

function sensitivitySection(
	columns: readonly Column[],
	rows: readonly { readonly cells: readonly TableCell[]; readonly status: RunStatus }[],
): string {
	const good = rows.filter(({ status }) => status === 'ok');
	const parameters = columns.flatMap((column, i) => (column.kind === 'parameter' ? [[column, i] as const] : []));
	const metrics = columns.flatMap((column, i) =>
		column.kind === 'metric' && column.texts === undefined ? [[column, i] as const] : [],
	);
	if (good.length < 8 || parameters.length === 0 || metrics.length === 0) return '';
	const cells: Sensitivity[][] = parameters.map(([parameter, i]) =>
		metrics.map(([metric, k]): Sensitivity => {
			const x = good.map((row) => row.cells[i] as number | string);
			const y = good.map((row) => Number(row.cells[k] ?? Number.NaN));
			return {
				parameter: parameter.name,
				metric: metric.name,
				rank: parameter.texts === undefined ? rankCorrelation(x as number[], y) : Number.NaN,
				share: explainedShare(
					x.map((value) => (typeof value === 'boolean' ? String(value) : value)),
					y,
				),
			};
		}),
	);
	const head = metrics.map(([{ name }]) => `<th>${escapeHtml(name)}</th>`).join('');
	const body = cells
		.map((row) => `<tr><th>${escapeHtml(row[0]!.parameter)}</th>${row.map(sensitivityCell).join('')}</tr>`)
		.join('');
	return `<section><div class="head"><h2>What depends on what</h2></div>
<p class="hint">The bar is the share of a metric's variance that the parameter explains by itself (first-order index, from ${good.length.toLocaleString('en')} runs); the number beside it is the rank correlation.</p>
<div class="wide"><table class="matrix"><thead><tr><th></th>${head}</tr></thead><tbody>${body}</tbody></table></div></section>`;
}

function sensitivityCell({ rank, share }: Sensitivity): string {
	if (Number.isNaN(share)) return '<td class="none">–</td>';
	const text = Number.isNaN(rank)
		? ''
		: `<span class="${rank < 0 ? 'minus' : 'plus'}">${rank < 0 ? '−' : '+'}${Math.abs(rank).toFixed(2)}</span>`;
	return `<td><div class="bar"><i style="width:${(100 * share).toFixed(1)}%"></i></div><b>${(100 * share).toFixed(0)} %</b>${text}</td>`;
}

function failureRow({ run, result, file }: TableEntry, { plan, command }: ReportSubject): string {
	const values = file ?? plan.parameters.map(({ name }, i) => `${name} ${shortValue(run.values[i]!)}`).join(', ');
	return `<tr><td>${run.index}</td><td><span class="tag ${result.status}">${result.status}</span></td><td>${escapeHtml(result.reason ?? '')}</td><td>${escapeHtml(values)}</td><td><code>${escapeHtml(command(run.index))}</code></td></tr>`;
}

function failureSection(rows: readonly string[], failed: number): string {
	if (failed === 0) return '';
	const rest =
		failed > rows.length ? `<p class="note">${rows.length} of ${failed} are listed; all are in the table.</p>` : '';
	return `<section><div class="head"><h2>Failures</h2></div>${rest}<div class="wide"><table class="failures"><thead><tr><th>run</th><th>status</th><th>reason</th><th>values</th><th>repeat it</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

function plotted(cell: TableCell, { texts }: Column): number | null {
	if (cell === null) return null;
	if (texts !== undefined) return texts.indexOf(String(cell));
	const value = Number(cell);
	return Number.isFinite(value) ? Number(value.toPrecision(7)) : null;
}

function shortValue(value: number | string | boolean): string {
	return typeof value === 'number' ? String(Number(value.toPrecision(5))) : String(value);
}

function samplerText({ sampler, repeats, task }: SweepPlan): string {
	if (task === 'check') return 'check';
	const text = (spec: SweepPlan['sampler']): string =>
		spec.kind === 'product'
			? spec.of.map(text).join(' × ')
			: 'count' in spec
				? `${spec.kind} ${spec.count.toLocaleString('en')}`
				: spec.kind;
	return repeats > 1 ? `${text(sampler)}, ${repeats} repeats` : text(sampler);
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
