/** `npm run build:vscode [FILE]`: packs the extension for VS Code into a vsix, without a network. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from '../source-files.ts';
import { packVsix } from './pack-vsix.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'editors/vscode/package.json'), 'utf8')) as { version: string };
const target = resolve(process.argv[2] ?? join(ROOT, `editors/vscode/dist/manyworlds-${version}.vsix`));
const { bytes, files } = await packVsix();
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, bytes);
console.log(`${target}: ${files.length} files, ${(bytes.length / 1e6).toFixed(2)} MB`);
