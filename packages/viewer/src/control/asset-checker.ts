import type { Diagnostic } from '@manyworlds/core';
import type { Remote } from 'comlink';
import type { AssetSession } from '../asset/asset-session.ts';
import type { FixedLook, FixPreview } from '../asset/asset-types.ts';
import type { FileChanges } from '../files/asset-files.ts';
import type { WorkStatus } from './work-status.ts';

/** What is checked, and where findings lead. */
export interface CheckHost {
	readonly status: WorkStatus;
	readonly session: () => Remote<AssetSession>;
	readonly write: (changes: FileChanges) => Promise<void>;
	/** Shows the part that a finding is about. */
	readonly showPrim: (prim: string) => Promise<void>;
	readonly showText: (path: string, line: number) => Promise<void>;
	/** Draws what would be seen after fixes over what is seen; undefined no longer does. */
	readonly showGhost: (look: FixedLook | undefined) => Promise<void>;
	/** Told when findings are there. */
	readonly onChecked: () => void;
	readonly tell: () => void;
}

/** What is wrong with an asset, and what would mend it. */
export class AssetChecker {
	/** Undefined while nobody has checked. */
	findings: readonly Diagnostic[] | undefined;
	/** What a fix would change, while a person looks at it. */
	fixes: FixPreview | undefined;
	/** Whether the picture shows what fixes would change of it. */
	hasGhost = false;
	readonly #host: CheckHost;

	constructor(host: CheckHost) {
		this.#host = host;
	}

	async check(): Promise<void> {
		await this.#host.status.try('checking', async () => {
			this.findings = await this.#host.session().check();
			this.#host.onChecked();
		});
	}

	/** Checks again where it was checked before. */
	async recheck(): Promise<void> {
		if (this.findings !== undefined) await this.check();
	}

	/** Goes to where a finding is: the prim, the camera and the text. */
	async goTo({ prim, file, layer, range }: Diagnostic): Promise<void> {
		if (prim !== undefined) await this.#host.showPrim(prim.replace(/\..*$/, ''));
		const path = layer ?? file;
		if (path !== undefined) await this.#host.showText(path, range?.start.line ?? 1);
	}

	async previewFixes(unsafe: boolean): Promise<void> {
		await this.#host.status.try('looking for fixes', async () => {
			const session = this.#host.session();
			const fixes = await session.fix({ unsafe });
			this.fixes = fixes;
			const changes = new Map(fixes.files.map(({ path, after }) => [path, after]));
			await this.#showGhost(changes.size === 0 ? undefined : await session.previewLook(changes));
		});
	}

	async applyFixes(): Promise<void> {
		const { fixes } = this;
		if (fixes === undefined) return;
		this.fixes = undefined;
		await this.#showGhost(undefined);
		await this.#host.write(new Map(fixes.files.map(({ path, after }) => [path, after])));
		await this.check();
	}

	dismissFixes(): void {
		this.fixes = undefined;
		void this.#showGhost(undefined);
		this.#host.tell();
	}

	/** Forgets what belongs to another asset, or to another reading of this one. */
	forget(isNew: boolean): void {
		this.fixes = undefined;
		void this.#showGhost(undefined);
		if (isNew) this.findings = undefined;
	}

	async #showGhost(look: FixedLook | undefined): Promise<void> {
		this.hasGhost = look !== undefined;
		await this.#host.showGhost(look);
	}
}
