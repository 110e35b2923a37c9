/** Program of the report: draws its data, and nothing else. It runs in the page, which has no other. */
export const REPORT_SCRIPT = `
'use strict';
(() => {
const page = self.document;
const data = JSON.parse(page.getElementById('data').textContent);
const { columns, rows } = data;
const canvas = (id) => page.getElementById(id);
if (!canvas('parallel') || rows.length === 0) return;
const css = (name) => getComputedStyle(page.documentElement).getPropertyValue(name).trim();
const at = (row, c) => row[c + 2];
const constant = columns.map(() => null);
const extent = columns.map((column, c) => {
	if (column.texts) return [0, Math.max(1, column.texts.length - 1)];
	let low = Infinity, high = -Infinity;
	for (const row of rows) { const v = at(row, c); if (v === null) continue; if (v < low) low = v; if (v > high) high = v; }
	if (!(low <= high)) return [0, 1];
	if (low === high) constant[c] = low;
	return low === high ? [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)] : [low, high];
});
const share = (c, v) => (v - extent[c][0]) / (extent[c][1] - extent[c][0]);
const format = (c, v) => v === null ? 'none' : columns[c].texts ? columns[c].texts[v] : String(Number(Number(v).toPrecision(4)));
const brushes = columns.map(() => null);
const isKept = (row) => brushes.every((brush, c) => { if (!brush) return true; const v = at(row, c); return v !== null && share(c, v) >= brush[0] && share(c, v) <= brush[1]; });
const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const paint = (t, alpha) => { const x = Math.min(0.9999, Math.max(0, t)) * 4; const i = Math.floor(x), f = x - i; const [a, b] = [stops[i], stops[i + 1]]; return 'rgba(' + a.map((v, k) => Math.round(v + f * (b[k] - v))).join(',') + ',' + alpha + ')'; };
const metrics = columns.map((column, c) => c).filter((c) => columns[c].kind === 'metric');
const parameters = columns.map((column, c) => c).filter((c) => columns[c].kind === 'parameter');
const related = (a, b) => { let n = 0, sa = 0, sb = 0, ab = 0, aa = 0, bb = 0; for (const row of rows) { const [u, v] = [at(row, a), at(row, b)]; if (u === null || v === null) continue; n++; sa += u; sb += v; ab += u * v; aa += u * u; bb += v * v; } const d = (aa - sa * sa / n) * (bb - sb * sb / n); return d > 0 ? Math.abs(ab - sa * sb / n) / Math.sqrt(d) : 0; };
const strongest = parameters.reduce((best, c) => related(c, metrics[0] ?? c) > related(best, metrics[0] ?? best) ? c : best, parameters[0] ?? 0);
let colour = metrics[0] ?? 0, x = strongest, y = metrics[0] ?? columns.length - 1, picked = null;
const fill = (id, value, set) => { const select = page.getElementById(id); columns.forEach((column, c) => { const option = page.createElement('option'); option.value = c; option.textContent = column.name; select.append(option); }); select.value = value; select.onchange = () => { set(Number(select.value)); draw(); }; };
fill('colour', colour, (v) => { colour = v; }); fill('x', x, (v) => { x = v; }); fill('y', y, (v) => { y = v; });
const prepare = (element, width, height) => { const scale = self.devicePixelRatio || 1; element.width = width * scale; element.height = height * scale; element.style.height = height + 'px'; const context = element.getContext('2d'); context.setTransform(scale, 0, 0, scale, 0, 0); context.clearRect(0, 0, width, height); context.font = '12px system-ui, sans-serif'; return context; };
const shade = (row, alpha) => { if (row[1] !== 0) return css('--bad'); const v = at(row, colour); return v === null ? css('--soft') : paint(share(colour, v), alpha); };
let axes = [];
const parallel = () => {
	const element = canvas('parallel'); const width = Math.max(element.parentElement.clientWidth, 110 * columns.length), height = 340; element.style.width = width + 'px';
	const context = prepare(element, width, height); const top = 46, bottom = height - 26, left = 60, right = width - 60;
	axes = columns.map((column, c) => columns.length === 1 ? width / 2 : left + c * (right - left) / (columns.length - 1));
	const line = (row) => { context.beginPath(); let isOpen = false; columns.forEach((column, c) => { const v = at(row, c); if (v === null) { isOpen = false; return; } const py = bottom - share(c, v) * (bottom - top); if (isOpen) context.lineTo(axes[c], py); else context.moveTo(axes[c], py); isOpen = true; }); context.stroke(); };
	const kept = rows.filter(isKept); const alpha = Math.max(0.12, Math.min(0.8, 60 / Math.sqrt(rows.length) / 4));
	context.lineWidth = 1; context.strokeStyle = css('--grid'); if (kept.length < rows.length) for (const row of rows) line(row);
	for (const row of kept) { context.strokeStyle = shade(row, alpha); line(row); }
	if (picked) { context.lineWidth = 2.5; context.strokeStyle = css('--ink'); line(picked); }
	columns.forEach((column, c) => {
		context.strokeStyle = css('--soft'); context.lineWidth = 1; context.beginPath(); context.moveTo(axes[c], top); context.lineTo(axes[c], bottom); context.stroke();
		context.fillStyle = css('--ink'); context.textAlign = 'center'; context.font = '600 12px system-ui, sans-serif'; context.fillText(column.name.length > 15 ? column.name.slice(0, 14) + '…' : column.name, axes[c], 16);
		context.font = '11px system-ui, sans-serif'; context.fillStyle = css('--soft'); context.fillText(column.kind, axes[c], 30);
		const ticks = column.texts ? column.texts.map((_, i) => i) : constant[c] === null ? [extent[c][0], extent[c][1]] : [];
		if (constant[c] !== null) { context.textAlign = 'right'; context.fillText(format(c, constant[c]), axes[c] - 7, (top + bottom) / 2 - 6); }
		for (const v of ticks.length > 9 ? [0, ticks.length - 1] : ticks) { const py = bottom - share(c, v) * (bottom - top); const text = format(c, v); if (column.texts) { context.textAlign = c === columns.length - 1 ? 'right' : 'left'; context.fillText(text.slice(0, 14), axes[c] + (c === columns.length - 1 ? -7 : 7), py + 4); } else { context.textAlign = 'center'; context.fillText(text, axes[c], v === extent[c][0] ? bottom + 16 : top - 5); } }
		if (brushes[c]) { context.fillStyle = css('--accent'); context.globalAlpha = 0.25; context.fillRect(axes[c] - 8, bottom - brushes[c][1] * (bottom - top), 16, (brushes[c][1] - brushes[c][0]) * (bottom - top)); context.globalAlpha = 1; }
	});
};
const nice = (low, high) => { const raw = (high - low) / 5; const power = 10 ** Math.floor(Math.log10(raw)); const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw); const out = []; for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) out.push(Number(v.toPrecision(12))); return out; };
let dots = [];
const scatter = () => {
	const element = canvas('scatter'); element.style.width = '100%'; const width = element.parentElement.clientWidth - 40, height = 360; const context = prepare(element, width, height);
	const left = 58, right = width - 14, top = 14, bottom = height - 38;
	context.strokeStyle = css('--grid'); context.fillStyle = css('--soft'); context.lineWidth = 1;
	const pad = (c, t) => 0.03 + 0.94 * t;
	const px = (v) => left + pad(x, share(x, v)) * (right - left), py = (v) => bottom - pad(y, share(y, v)) * (bottom - top);
	const ticks = (c) => columns[c].texts ? columns[c].texts.map((_, i) => i) : nice(extent[c][0], extent[c][1]);
	context.textAlign = 'center'; for (const v of ticks(x)) { context.beginPath(); context.moveTo(px(v), top); context.lineTo(px(v), bottom); context.stroke(); context.fillText(format(x, v).slice(0, 12), px(v), bottom + 17); }
	context.textAlign = 'right'; for (const v of ticks(y)) { context.beginPath(); context.moveTo(left, py(v)); context.lineTo(right, py(v)); context.stroke(); context.fillText(format(y, v).slice(0, 9), left - 7, py(v) + 4); }
	context.fillStyle = css('--ink'); context.textAlign = 'center'; context.font = '600 12px system-ui, sans-serif'; context.fillText(columns[x].name, (left + right) / 2, height - 4);
	dots = []; const jitter = (c, i) => columns[c].texts ? ((i * 0.618034) % 1 - 0.5) * 22 : 0;
	rows.forEach((row, i) => { const [vx, vy] = [at(row, x), at(row, y)]; if (vx === null || vy === null) return; const kept = isKept(row); const qx = px(vx) + jitter(x, i), qy = py(vy) + jitter(y, i + 7); context.beginPath(); context.arc(qx, qy, kept ? 3.2 : 2, 0, 7); context.fillStyle = kept ? shade(row, 0.75) : css('--grid'); context.fill(); if (kept) dots.push([qx, qy, row]); });
	if (picked) for (const [qx, qy, row] of dots) if (row === picked) { context.beginPath(); context.arc(qx, qy, 6, 0, 7); context.strokeStyle = css('--ink'); context.lineWidth = 2; context.stroke(); }
};
const histograms = () => {
	const host = page.getElementById('histograms'); host.textContent = '';
	for (const c of [...metrics, ...parameters].slice(0, 12)) {
		const figure = page.createElement('figure'), caption = page.createElement('figcaption'), element = page.createElement('canvas');
		figure.append(caption, element); host.append(figure);
		const width = figure.clientWidth || 190, height = 86, count = columns[c].texts ? columns[c].texts.length : 24; const context = prepare(element, width, height);
		const all = new Array(count).fill(0), own = new Array(count).fill(0); let sum = 0, n = 0;
		for (const row of rows) { const v = at(row, c); if (v === null) continue; const bin = columns[c].texts ? v : Math.min(count - 1, Math.floor(share(c, v) * count)); all[bin]++; if (isKept(row)) { own[bin]++; sum += v; n++; } }
		const most = Math.max(1, ...all), step = width / count;
		all.forEach((value, i) => { const h = value / most * (height - 18); context.fillStyle = css('--grid'); context.fillRect(i * step + 0.5, height - 16 - h, Math.max(1, step - 1), h); const k = own[i] / most * (height - 18); context.fillStyle = c === colour && !columns[c].texts ? paint((i + 0.5) / count, 1) : css('--bar'); context.fillRect(i * step + 0.5, height - 16 - k, Math.max(1, step - 1), k); });
		context.fillStyle = css('--soft'); context.font = '11px system-ui, sans-serif'; context.textAlign = 'left'; if (constant[c] === null) context.fillText(format(c, extent[c][0]), 0, height - 3); context.textAlign = 'right'; if (constant[c] === null) context.fillText(format(c, extent[c][1] > 0 && columns[c].texts ? columns[c].texts.length - 1 : extent[c][1]), width, height - 3);
		caption.textContent = columns[c].name + (columns[c].texts || n === 0 ? '' : (constant[c] === null ? ' · mean ' : ' · always ') + format(c, sum / n));
	}
};
const draw = () => { parallel(); scatter(); histograms(); };
let drag = null;
const place = (event) => { const box = canvas('parallel').getBoundingClientRect(); const px = event.clientX - box.left, py = event.clientY - box.top; let c = 0; axes.forEach((axis, i) => { if (Math.abs(axis - px) < Math.abs(axes[c] - px)) c = i; }); return [c, Math.min(1, Math.max(0, (340 - 26 - py) / (340 - 26 - 46)))]; };
canvas('parallel').onpointerdown = (event) => { const [c, t] = place(event); drag = [c, t]; brushes[c] = null; canvas('parallel').setPointerCapture(event.pointerId); draw(); };
canvas('parallel').onpointermove = (event) => { if (!drag) return; const t = place(event)[1]; if (Math.abs(t - drag[1]) > 0.02) { brushes[drag[0]] = [Math.min(t, drag[1]), Math.max(t, drag[1])]; parallel(); scatter(); } };
canvas('parallel').onpointerup = () => { drag = null; draw(); };
canvas('scatter').onpointermove = (event) => { const box = canvas('scatter').getBoundingClientRect(); const [mx, my] = [event.clientX - box.left, event.clientY - box.top]; let best = 144, found = null; for (const [qx, qy, row] of dots) { const d = (qx - mx) ** 2 + (qy - my) ** 2; if (d < best) { best = d; found = row; } } if (found === picked) return; picked = found; page.getElementById('picked').textContent = found ? 'run ' + found[0] + ': ' + columns.map((column, c) => column.name + ' ' + format(c, at(found, c))).join(', ') + ' — ' + data.command + found[0] : 'Point at a run to see it.'; parallel(); scatter(); };
self.addEventListener('resize', draw); self.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
draw();
})();
`;
