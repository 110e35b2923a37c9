import { createLanguageServer, remoteLanguageHost } from '@manyworlds/lsp';
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';

/** The language server of the extension in a worker, where files come from the client. */
const scope = self as unknown as DedicatedWorkerGlobalScope;
const connection = createConnection(new BrowserMessageReader(scope), new BrowserMessageWriter(scope));
createLanguageServer(connection, remoteLanguageHost(connection, scope));
