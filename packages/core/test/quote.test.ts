import { InternalError, quote, UsageStateError, UsageTypeError } from '@manyworlds/core';
import { printable } from '@manyworlds/core/internal';
import { expect, test } from 'vitest';

test('quote keeps text on one line and escapes quotes', () => {
	expect(quote('abc')).toBe("'abc'");
	expect(quote("it's\na\\b\t\r")).toBe("'it\\'s\\na\\\\b\\t\\r'");
	expect(quote('\u0000\u009b\u202e\u2028')).toBe("'\u2400\ufffd\ufffd\ufffd'");
});

test('quote cuts long text at a code point', () => {
	expect(quote('😀'.repeat(5), 3)).toBe("'😀😀😀…'");
	expect(quote('abc', 3)).toBe("'abc'");
	expect(quote('x'.repeat(1_000_000)).length).toBeLessThan(100);
});

test('printable keeps the number of code points', () => {
	expect(printable('a\u0007b\ud800c\u007f')).toBe('a\u2407b\ufffdc\u2421');
});

test('errors carry their code and kind', () => {
	expect(new UsageTypeError('x')).toBeInstanceOf(TypeError);
	expect(new UsageTypeError('x').code).toBe('API001');
	expect(new UsageStateError('x').code).toBe('API003');
	const cause = new Error('inner');
	const error = new InternalError('lost a path', { cause });
	expect(error.code).toBe('API004');
	expect(error.cause).toBe(cause);
	expect(error.message).toMatch(/^lost a path .*report/);
});
