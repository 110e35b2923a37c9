import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Two files that should hold the same layer. A file may be a member of a package: `a.usdz[b.usdc]`. */
export interface Comparison {
	readonly ours: string;
	readonly theirs: string;
}

/** What OpenUSD said about a comparison. */
export interface Verdict {
	readonly equal: boolean;
	/** The first differences, or why a file could not be opened. */
	readonly lines: readonly string[];
	/** Which file could not be opened. */
	readonly refused?: 'ours' | 'theirs';
	/** For a crate of ours that differs: why OpenUSD cannot write the original as crate itself, or read what it wrote. */
	readonly unsupported?: string;
	/** For a text of ours: where it differs from the text that OpenUSD writes for the original; empty when nowhere. */
	readonly textDifference?: string;
}

/** How to reach OpenUSD. */
export interface OracleOptions {
	readonly python: string;
	/** Folder of `usd_equal.py`. */
	readonly scripts: string;
	/** Folders with a `plugInfo.json` to register. */
	readonly plugins: readonly string[];
}

/**
 * Asks one Python process about many pairs, in order. The program below only drives `usd_equal.py`, whose command line
 * compares one pair per start.
 */
export async function* compareAll(pairs: readonly Comparison[], options: OracleOptions): AsyncGenerator<Verdict> {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-oracle-'));
	try {
		const program = join(folder, 'drive_equal.py');
		const list = join(folder, 'pairs.jsonl');
		writeFileSync(program, PROGRAM);
		writeFileSync(list, pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''));
		const env = { ...process.env, PYTHONPATH: options.scripts, PXR_PLUGINPATH_NAME: options.plugins.join(':') };
		const child = spawn(options.python, [program, list], { env, stdio: ['ignore', 'pipe', 'pipe'] });
		let complaints = '';
		child.stderr.on('data', (chunk: Buffer) => {
			complaints = (complaints + chunk.toString('utf8')).slice(-1000);
		});
		const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
		for await (const line of createInterface({ input: child.stdout })) {
			if (line.startsWith('{')) yield JSON.parse(line) as Verdict;
		}
		const code = await ended;
		if (code !== 0) throw new Error(`the oracle ended with code ${code}: ${complaints}`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const PROGRAM = `
import functools, io, json, sys
from contextlib import redirect_stderr
from types import SimpleNamespace
import usd_equal, usd_layer_dump

original_dump = usd_layer_dump.dump
usd_layer_dump.dump = functools.lru_cache(maxsize=4)(original_dump)

def refusal(path):
    err = io.StringIO()
    try:
        with redirect_stderr(err):
            usd_layer_dump.open_layer(path)
        return None
    except SystemExit:
        return err.getvalue().strip()[-400:]
    except Exception as error:
        return message(error)

def message(error):
    try:
        return str(error).strip()[-300:]
    except Exception:
        return type(error).__name__  # its text is not UTF-8

def text(path):
    return usd_layer_dump.open_layer(path).ExportToString().split("\\n")

def first_difference(actual, expected):
    for number, (a, b) in enumerate(zip(actual, expected), 1):
        if a != b:
            return f"line {number}: {a!r:.150} expected {b!r:.150}"
    return "" if len(actual) == len(expected) else f"{len(actual)} lines, expected {len(expected)}"

def own_crate_problem(path):
    own = sys.argv[1] + "-own.usdc"
    try:
        usd_layer_dump.open_layer(path).Export(own)
        text(own)
        return None
    except Exception as error:
        return message(error)

def compare(pair):
    problem = refusal(pair["theirs"])
    if problem is not None:
        return {"equal": False, "refused": "theirs", "lines": [problem]}
    result = {}
    if pair["ours"].endswith(".usda"):
        ours = open(pair["ours"], encoding="utf-8", errors="surrogateescape", newline="").read().split("\\n")
        result["textDifference"] = first_difference(ours, text(pair["theirs"]))
    problem = refusal(pair["ours"])
    lines = [] if problem is None else [problem]
    if problem is not None:
        result["refused"] = "ours"
    else:
        try:
            usd_equal.compare_layers(pair["ours"], pair["theirs"], "", SimpleNamespace(strict_order=False, limit=5), lines)
        except Exception:
            # a layer that the dump has no encoding for: let OpenUSD print both
            try:
                difference = first_difference(text(pair["ours"]), text(pair["theirs"]))
            except Exception as error:
                difference = "OpenUSD cannot print it: " + message(error)
            lines = [difference] if difference else []
    if lines and not pair["ours"].endswith(".usda"):
        unsupported = own_crate_problem(pair["theirs"])
        if unsupported is not None:
            result["unsupported"] = unsupported
    return {**result, "equal": not lines, "lines": lines[:5]}

for row in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(compare(json.loads(row))), flush=True)
`;
