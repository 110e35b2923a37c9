/** What test files import as `vitest` when they run in the harness: tests are collected, so that single ones run again and again in one process. */
import {
	ASYMMETRIC_MATCHERS_OBJECT,
	chai,
	customMatchers,
	getState,
	JestAsymmetricMatchers,
	JestChaiExpect,
	JestExtend,
	setState,
} from '@vitest/expect';

type Body = (...args: unknown[]) => unknown;

interface Hooks {
	readonly parent: Hooks | undefined;
	readonly beforeAll: Body[];
	readonly afterAll: Body[];
	readonly beforeEach: Body[];
	readonly afterEach: Body[];
	isSetUp: boolean;
}

/** A test of a file. */
export interface CollectedTest {
	readonly name: string;
	readonly hooks: Hooks;
	readonly body: () => unknown;
}

class SkipError extends Error {}

let collected: CollectedTest[] = [];
let hooks: Hooks = newHooks(undefined);
let names: string[] = [];
let finished: Body[] = [];
let pending: Promise<void> = Promise.resolve();

function newHooks(parent: Hooks | undefined): Hooks {
	return { parent, beforeAll: [], afterAll: [], beforeEach: [], afterEach: [], isSetUp: false };
}

/** Tests that a module declares while it is loaded. */
export async function collectTests(load: () => Promise<unknown>): Promise<CollectedTest[]> {
	collected = [];
	hooks = newHooks(undefined);
	names = [];
	pending = Promise.resolve();
	await load();
	await pending;
	return collected;
}

/** Scopes that are set up and have something to take down, outer ones first. */
const entered: Hooks[] = [];

/**
 * Sets up what is around a test: hooks that run once. Scopes that the test is not in are taken down first, as what they set up for their
 * tests, such as the engine that steps, would hold for it too; those that take nothing down stay as they are.
 */
export async function setUp(around: Hooks): Promise<void> {
	const chain = scopesOf(around);
	for (let last = entered.at(-1); last !== undefined && !chain.includes(last); last = entered.at(-1)) {
		entered.pop();
		last.isSetUp = false;
		for (const hook of last.afterAll) await hook();
	}
	for (const scope of chain) {
		if (scope.isSetUp) continue;
		scope.isSetUp = true;
		if (scope.afterAll.length > 0) entered.push(scope);
		for (const hook of scope.beforeAll) await hook();
	}
}

/** Scopes around a test, outer ones first. */
function scopesOf(around: Hooks): Hooks[] {
	const chain: Hooks[] = [];
	for (let at: Hooks | undefined = around; at !== undefined; at = at.parent) chain.unshift(at);
	return chain;
}

/** Runs one test with the hooks around each; throws what fails. */
export async function runTest(test: CollectedTest): Promise<void> {
	const chain = scopesOf(test.hooks);
	finished = [];
	try {
		for (const { beforeEach } of chain) for (const hook of beforeEach) await hook();
		await test.body();
	} catch (error) {
		if (!(error instanceof SkipError)) throw error;
	} finally {
		for (const { afterEach } of chain.reverse()) for (const hook of afterEach) await hook();
		for (const hook of finished) await hook();
	}
}

const context = {
	skip: (condition: unknown = true): void => {
		if (typeof condition !== 'boolean' || condition) throw new SkipError();
	},
	onTestFinished: (hook: Body): number => finished.push(hook),
};

function addTest(name: unknown, args: readonly unknown[], parameters: readonly unknown[]): void {
	const body = args.find((arg) => typeof arg === 'function') as Body | undefined;
	if (body === undefined) return;
	collected.push({ name: [...names, String(name)].join(' > '), hooks, body: () => body(...parameters, context) });
}

function addSuite(name: unknown, args: readonly unknown[], parameters: readonly unknown[]): void {
	const body = args.find((arg) => typeof arg === 'function') as Body;
	const outer = { hooks, names };
	hooks = newHooks(hooks);
	names = [...names, String(name)];
	const result = body(...parameters);
	if (result instanceof Promise) throw new Error('a suite that waits is not supported');
	({ hooks, names } = outer);
}

type Add = typeof addTest;

function makeApi(add: Add): Body {
	const api = (name: unknown, ...args: unknown[]): void => add(name, args, []);
	const each =
		(table: readonly unknown[], isSpread: boolean) =>
		(name: unknown, ...args: unknown[]): void => {
			for (const [i, row] of table.entries())
				add(`${String(name)} #${i}`, args, isSpread && Array.isArray(row) ? row : [row]);
		};
	const nothing = Object.assign(() => {}, {
		each: () => () => {},
		for: () => () => {},
	});
	const all = Object.assign(api, {
		each: (table: readonly unknown[]) => each(table, true),
		for: (table: readonly unknown[]) => each(table, false),
		skip: nothing,
		todo: nothing,
		skipIf: (condition: unknown) => (condition ? nothing : all),
		runIf: (condition: unknown) => (condition ? all : nothing),
	}) as unknown as Body;
	return Object.assign(all, { concurrent: all, sequential: all });
}

export const test: Body = makeApi(addTest);
export const it: Body = test;
export const describe: Body = makeApi(addSuite);
export const suite: Body = describe;
export const beforeAll = (hook: Body): number => hooks.beforeAll.push(hook);
export const afterAll = (hook: Body): number => hooks.afterAll.push(hook);
export const beforeEach = (hook: Body): number => hooks.beforeEach.push(hook);
export const afterEach = (hook: Body): number => hooks.afterEach.push(hook);
export const onTestFinished = (hook: Body): number => finished.push(hook);

const stubbed = new Map<string, PropertyDescriptor | undefined>();

export const vi = {
	stubGlobal(name: string, value: unknown): void {
		if (!stubbed.has(name)) stubbed.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
		Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
	},
	unstubAllGlobals(): void {
		for (const [name, before] of stubbed) {
			if (before === undefined) Reflect.deleteProperty(globalThis, name);
			else Object.defineProperty(globalThis, name, before);
		}
		stubbed.clear();
	},
};

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

function makeExpect(): unknown {
	const expect = Object.assign((value: unknown, message?: string) => chai.expect(value, message), chai.expect);
	const asymmetric = (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT as unknown as symbol];
	const state = expect as unknown as Parameters<typeof getState>[0];
	setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, state);
	return Object.assign(expect, asymmetric, {
		getState: () => getState(state),
		fail: (message?: string) => chai.assert.fail(message),
		unreachable: (message?: string) => chai.assert.fail(`reached ${message ?? ''}`),
		extend: customMatchers,
	});
}

export const expect: unknown = makeExpect();
