import { MujocoError } from '../mujoco-error.ts';
import type { Conversion } from './conversion.ts';
import { nameOf, subjectAround } from './subject.ts';

/** Ranges may be open; a name or a file may be called anything. */
const RANGE = /range$/;
const TEXT = /^(name|file|mesh|hfield|geom\d?|site|\w*site|body\d?|joint\d?|jointinparent|tendon)$/;

/** Refuses numbers that are not finite, with what they belong to: MuJoCo takes some of them and then moves nothing. */
export function refuseNumbers({ sections, subjects }: Pick<Conversion, 'sections' | 'subjects'>): void {
	for (const element of sections.document.elements()) {
		for (const { name, value } of element.attributes) {
			if (TEXT.test(name)) continue;
			const found = value.split(' ').find((word) => word === 'nan' || (/^-?inf$/.test(word) && !RANGE.test(name)));
			if (found === undefined) continue;
			const subject = subjectAround(subjects, element);
			const what = subject === undefined ? `of <${element.name}>` : `of ${nameOf(subject)}`;
			throw new MujocoError('MJC007', `${name} ${what} is '${value}', expected finite numbers`, subject);
		}
	}
}
