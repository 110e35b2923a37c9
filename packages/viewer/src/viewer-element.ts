import { MESSAGE_VERSION, type ViewerReport, type ViewerRequest } from './embedding.ts';

/**
 * A robot in any page: `<manyworlds-viewer src="robot.usdz" joint-values="elbow: 0.5" overlay="frames colliders">`. The viewer runs in
 * a frame of its own, from the folder that this module is in. Events `opened` and `failed` have what the viewer says.
 */
export class ManyworldsViewer extends HTMLElement {
	static readonly observedAttributes = ['src', 'joint-values', 'overlay'] as const;
	readonly #frame = document.createElement('iframe');
	#isReady = false;

	connectedCallback(): void {
		const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
		this.#frame.src = new URL('./index.html?embedded', import.meta.url).href;
		this.#frame.title = this.getAttribute('title') ?? 'Robot';
		this.#frame.style.cssText = 'width:100%;height:100%;border:0;display:block';
		root.append(this.#frame);
		if (this.style.display === '') this.style.display = 'block';
		addEventListener('message', this.#hear);
	}

	disconnectedCallback(): void {
		removeEventListener('message', this.#hear);
		this.#isReady = false;
	}

	attributeChangedCallback(name: string): void {
		if (this.#isReady) this.#tellOf(name);
	}

	readonly #hear = ({ source, data }: MessageEvent<ViewerReport>): void => {
		if (source !== this.#frame.contentWindow || data?.manyworlds !== MESSAGE_VERSION) return;
		if (data.kind === 'ready') {
			this.#isReady = true;
			this.#tellOf('src');
			return;
		}
		if (data.kind === 'opened') for (const name of ['joint-values', 'overlay']) this.#tellOf(name);
		this.dispatchEvent(new CustomEvent(data.kind, { detail: data }));
	};

	/** Tells the viewer what an attribute says. */
	#tellOf(name: string): void {
		const text = this.getAttribute(name);
		if (text === null) return;
		if (name === 'src')
			this.#tell({ manyworlds: MESSAGE_VERSION, kind: 'open', url: new URL(text, document.baseURI).href });
		else if (name === 'overlay') {
			this.#tell({
				manyworlds: MESSAGE_VERSION,
				kind: 'overlays',
				names: text.split(/[\s,]+/).filter((word) => word !== ''),
			});
		} else this.#tell({ manyworlds: MESSAGE_VERSION, kind: 'joints', values: jointValues(text) });
	}

	#tell(request: ViewerRequest): void {
		this.#frame.contentWindow?.postMessage(request, new URL(this.#frame.src).origin);
	}
}

/** Numbers by name: `shoulder: 0.5; elbow: -1`. */
function jointValues(text: string): Record<string, number> {
	const pairs = text.split(/[;,]/).map((part) => part.split(':'));
	return Object.fromEntries(
		pairs.flatMap(([name, value]) => (name === undefined || value === undefined ? [] : [[name.trim(), Number(value)]])),
	);
}

customElements.define('manyworlds-viewer', ManyworldsViewer);
