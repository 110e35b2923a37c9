import { expect, test } from 'vitest';
import { findComment } from '../src/convert/find-comment.ts';

function find(body: string): string | undefined {
	const bytes = new TextEncoder().encode(`#usda 1.0\n${body}`);
	const found = findComment(bytes);
	return found && new TextDecoder().decode(bytes.subarray(found.start, found.end));
}

test.each([
	['def "a" {} # note', '# note'],
	['def "a" {} // note\nmore', '// note'],
	['/* over\nlines */ def "a" {}', '/* over\nlines */'],
	['string s = "a" # b', '# b'],
	["string s = 'it\\'s' # b", '# b'],
	['asset a = @@ # b', '# b'],
	['string s = "" # b', '# b'],
	['rel r = </a/b> # b', '# b'],
	['/* not closed', '/* not closed'],
])('%j has the comment %j', (body, comment) => {
	expect(find(body)).toBe(comment);
});

test.each([
	'def "a" {}',
	'string s = "a # b"',
	'string s = """a " # b\n"c" # d"""',
	"string s = '''a ' # b'''",
	'asset a = @./x#1.usd@',
	'asset a = @http://host/a//b@',
	'asset a = @@@./x@y#1.usd@@@',
	'asset a = @@@./x\\@@@#y@@@',
	'rel r = </a//b#c>',
	'string s = "unclosed # b',
])('%j has no comment', (body) => {
	expect(find(body)).toBeUndefined();
});
