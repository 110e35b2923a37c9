import { html, nothing, type TemplateResult } from 'lit';
import type { ConvertFormat } from 'manyworlds';
import type { App } from '../app.ts';
import { type FilmKind, filmKinds } from '../film.ts';

const FORMATS: readonly (readonly [ConvertFormat, string, string])[] = [
	['glb', 'glb', 'glTF binary, what it looks like'],
	['urdf', 'urdf', 'URDF with meshes'],
	['sdf', 'sdf', 'SDF with meshes'],
	['mjcf', 'xml', 'MJCF with meshes'],
	['rep', 'usda', 'OpenUSD by REP 0158'],
	['usdz', 'usdz', 'OpenUSD package'],
];

const FILM_NAMES: Readonly<Record<FilmKind, string>> = { webm: 'WebM', mp4: 'MP4' };

/** Other formats, pictures and the files themselves. */
export function exportPanel(app: App): TemplateResult {
	const formats = FORMATS.filter(([format]) => format !== 'usdz' || app.asset?.format === 'usd');
	return html`
		${
			app.asset?.format === 'scene'
				? nothing
				: html`<ul class="exports">
						${formats.map(
							([format, extension, what]) =>
								html`<li><button @click=${() => void app.exporter.exportTo(format, extension)}>${what}</button></li>`,
						)}
					</ul>`
		}
		<ul class="exports">
			<li><button @click=${() => void app.exporter.screenshot()}>Picture as PNG</button></li>
			${
				app.exporter.isFilming
					? html`<li><button aria-pressed="true" @click=${() => app.exporter.film('webm')}>End the video</button></li>`
					: filmKinds().map(
							(kind) =>
								html`<li><button @click=${() => app.exporter.film(kind)}>${`Video as ${FILM_NAMES[kind]}`}</button></li>`,
						)
			}
			<li><button @click=${() => app.exporter.downloadFiles()}>All files as zip</button></li>
			${location.protocol === 'file:' ? nothing : html`<li><button @click=${() => void app.exporter.exportPage()}>Page of one file, robot and viewer in it</button></li>`}
		</ul>
	`;
}
