import { translateSdf } from '@manyworlds/convert';
import { createLanguageServer } from '@manyworlds/lsp';
import { nodeLanguageHost } from '@manyworlds/node';
import {
	createConnection,
	ProposedFeatures,
	StreamMessageReader,
	StreamMessageWriter,
} from 'vscode-languageserver/node';

/** The language server of the extension: that of `manyworlds lsp`, in a process of its own. */
console.log = console.error;
const connection = createConnection(
	ProposedFeatures.all,
	new StreamMessageReader(process.stdin),
	new StreamMessageWriter(process.stdout),
);
createLanguageServer(
	connection,
	nodeLanguageHost({ env: process.env, exit: (status) => process.exit(status), translateSdf }),
);
