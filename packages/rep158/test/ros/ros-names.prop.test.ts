import { resolveName } from '@manyworlds/usd/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	fixedFrameId,
	fixedRosName,
	frameIdFault,
	namespaceFault,
	rosNameFault,
	rosNameOf,
} from '../../src/ros/ros-names.ts';

const options = { seed: 158, numRuns: 2000 };
const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[/~{}a-z0-9_ -]{0,12}$/));
const token = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,6}$/);

describe('names of ROS', () => {
	it('can be repaired from any text, and repairing again changes nothing', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				const name = fixedRosName(text);
				if (/[^/]/.test(text)) expect(rosNameFault(name)).toBeUndefined();
				expect(fixedRosName(name)).toBe(name);
				if (rosNameFault(text) === undefined) expect(name).toBe(text);
				expect(frameIdFault(fixedFrameId(text))).toBeUndefined();
			}),
			options,
		);
	});

	it('made of prim names are single tokens', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1 }), (text) => {
				const name = rosNameOf(text);
				expect(rosNameFault(name)).toBeUndefined();
				expect(name).not.toContain('/');
			}),
			options,
		);
	});

	it('are accepted when built from good tokens, and resolve below namespaces', () => {
		fc.assert(
			fc.property(fc.array(token, { minLength: 1, maxLength: 4 }), token, (tokens, namespace) => {
				const name = tokens.join('/');
				expect(rosNameFault(name)).toBeUndefined();
				expect(rosNameFault(`/${name}`)).toBeUndefined();
				expect(namespaceFault(namespace)).toBeUndefined();
				expect(resolveName(`/${namespace}`, name)).toBe(`/${namespace}/${name}`);
				expect(resolveName('/', name)).toBe(`/${name}`);
				expect(resolveName(`/${namespace}`, `/${name}`)).toBe(`/${name}`);
			}),
			options,
		);
	});
});
