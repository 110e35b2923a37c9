import { MujocoError } from '../mujoco-error.ts';
import type { MjcfElement } from './mjcf-element.ts';
import { nameOf } from './subject.ts';

/** Ranges may be open; a name or a file may be called anything. */
const RANGE = /range$/;
const TEXT = /^(name|file|mesh|hfield|geom\d?|site|\w*site|body\d?|joint\d?|jointinparent|tendon)$/;

/** Refuses numbers that are not finite, with what they belong to: MuJoCo takes some of them and then moves nothing. */
export function refuseNumbers(root: MjcfElement): void {
	const stack = [{ element: root, subject: root.subject }];
	for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
		const { element } = top;
		const subject = element.subject ?? top.subject;
		for (const [name, value] of element.attributes) {
			if (TEXT.test(name)) continue;
			const found = value.split(' ').find((word) => word === 'nan' || (/^-?inf$/.test(word) && !RANGE.test(name)));
			if (found === undefined) continue;
			const what = subject === undefined ? `of <${element.tag}>` : `of ${nameOf(subject)}`;
			throw new MujocoError('MJC007', `${name} ${what} is '${value}', expected finite numbers`, subject);
		}
		for (const child of element.children) stack.push({ element: child, subject });
	}
}
