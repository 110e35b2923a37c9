/**
 * Addresses of clients and identifiers of stores. An identifier is the path of an address without its percent signs; the rest of the
 * address is that of the workspace. Addresses that the client has spelled itself are given back as it spelled them.
 */
export class UriMap {
	#prefix = 'file://';
	readonly #spelled = new Map<string, string>();

	/** Takes scheme and authority from an address of the client. */
	adopt(uri: string): void {
		const prefix = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(uri)?.[0];
		if (prefix !== undefined) this.#prefix = prefix;
	}

	/** Notes how the client spells the address of a file. */
	note(uri: string): string {
		const identifier = this.identifier(uri);
		this.#spelled.set(identifier, uri);
		return identifier;
	}

	identifier(uri: string): string {
		const rest = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/([^/?#]*))?([^?#]*)/.exec(uri);
		if (rest === null) return uri;
		const [, authority = '', path = ''] = rest;
		const plain = decode(path);
		// a drive is no folder: /c%3A/robots is C:/robots
		const drive = /^\/([A-Za-z]):(.*)$/.exec(plain);
		if (drive !== null) return `${drive[1]!.toUpperCase()}:${drive[2]}`;
		const isShare = uri.startsWith('file:') && authority !== '' && authority !== 'localhost';
		return isShare ? `//${authority}${plain}` : plain;
	}

	uri(identifier: string): string {
		const known = this.#spelled.get(identifier);
		if (known !== undefined) return known;
		if (identifier.startsWith('//')) return `file:${identifier.split('/').map(encodeURIComponent).join('/')}`;
		const path = identifier.startsWith('/') ? identifier : `/${identifier}`;
		return this.#prefix + path.split('/').map(encodeURIComponent).join('/');
	}
}

function decode(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		// a percent sign that codes nothing stands for itself
		return path;
	}
}
