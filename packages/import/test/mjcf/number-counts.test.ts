import { describe, expect, it } from 'vitest';
import { importText } from './support.ts';

/** Two bodies with joints and tendons, and one attribute of one element that has some numbers. */
const MODELS: Readonly<Record<string, (text: string) => string>> = (() => {
	const world = (body: string, more: string = '', first: string = ''): string =>
		`${first}<worldbody><body name="a"><geom size="1"/>${body}<body name="b" pos="3 0 0"><joint name="s" type="slide"/><geom size="1"/></body></body></worldbody>${more}`;
	const hinged = (more: string): string => world('<joint name="h"/>', more);
	const tendons =
		'<tendon><fixed name="t"><joint joint="h" coef="1"/></fixed><fixed name="u"><joint joint="s" coef="1"/></fixed></tendon>';
	const field = (size: string): string =>
		world('', '', `<asset><hfield name="f" nrow="2" ncol="2" elevation="0 1 2 3" size="${size}"/></asset>`).replace(
			'<body name="a">',
			'<geom type="hfield" hfield="f"/><body name="a">',
		);
	return {
		'connect anchor': (n) => hinged(`<equality><connect body1="a" anchor="${n}"/></equality>`),
		'weld relpose': (n) => hinged(`<equality><weld body1="a" body2="b" relpose="${n}"/></equality>`),
		'joint polycoef': (n) => hinged(`<equality><joint joint1="h" joint2="s" polycoef="${n}"/></equality>`),
		'tendon polycoef': (n) =>
			hinged(`${tendons}<equality><tendon tendon1="t" tendon2="u" polycoef="${n}"/></equality>`),
		'tendon solref': (n) => hinged(`${tendons}<equality><tendon tendon1="t" tendon2="u" solref="${n}"/></equality>`),
		'tendon solimp': (n) => hinged(`${tendons}<equality><tendon tendon1="t" tendon2="u" solimp="${n}"/></equality>`),
		'hinge range': (n) => world(`<joint name="h" range="${n}"/>`),
		'ball range': (n) => world(`<joint name="h" type="ball" range="${n}"/>`),
		'joint solreflimit': (n) => world(`<joint name="h" solreflimit="${n}"/>`),
		'joint actuatorfrcrange': (n) => world(`<joint name="h" actuatorfrcrange="${n}"/>`),
		'joint axis': (n) => world(`<joint name="h" axis="${n}"/>`),
		'joint armature': (n) => world(`<joint name="h" armature="${n}"/>`),
		'material rgba': (n) =>
			world('<geom size="1" material="m"/>', '', `<asset><material name="m" rgba="${n}"/></asset>`),
		'geom rgba': (n) => world(`<geom size="1" rgba="${n}"/>`),
		'geom friction': (n) => world(`<geom size="1" friction="${n}"/>`),
		'geom solref': (n) => world(`<geom size="1" solref="${n}"/>`),
		'geom solimp': (n) => world(`<geom size="1" solimp="${n}"/>`),
		'geom pos': (n) => world(`<geom size="1" pos="${n}"/>`),
		'geom fromto': (n) => world(`<geom type="capsule" size="1" fromto="${n}"/>`),
		'geom size': (n) => world(`<geom type="sphere" size="${n}"/>`),
		'site size': (n) => world(`<site type="sphere" size="${n}"/>`),
		'site fromto': (n) => world(`<site type="capsule" size="1" fromto="${n}"/>`),
		'hfield size': field,
		'replicate euler': (n) => world(`<replicate count="2" euler="${n}"><geom size="1"/></replicate>`),
		'replicate offset': (n) => world(`<replicate count="2" offset="${n}"><geom size="1"/></replicate>`),
		'motor gear': (n) => hinged(`<actuator><motor joint="h" gear="${n}"/></actuator>`),
		'option gravity': (n) => world('', '', `<option gravity="${n}"/>`),
		'inertial pos': (n) => world(`<inertial mass="1" diaginertia="1 1 1" pos="${n}"/>`),
	};
})();

describe('numbers that are too few or too many are reported at the attribute', () => {
	it.each<[string, number, number]>([
		['connect anchor', 3, 3],
		['weld relpose', 7, 7],
		['joint polycoef', 1, 5],
		['tendon polycoef', 1, 5],
		['tendon solref', 1, 2],
		['tendon solimp', 1, 5],
		['hinge range', 2, 2],
		['ball range', 2, 2],
		['joint solreflimit', 1, 2],
		['joint actuatorfrcrange', 2, 2],
		['joint axis', 3, 3],
		['joint armature', 1, 1],
		['material rgba', 3, 4],
		['geom rgba', 3, 4],
		['geom friction', 1, 3],
		['geom solref', 1, 2],
		['geom solimp', 1, 5],
		['geom pos', 3, 3],
		['geom fromto', 6, 6],
		['geom size', 1, 3],
		['site size', 1, 3],
		['site fromto', 6, 6],
		['hfield size', 1, 4],
		['replicate euler', 3, 3],
		['replicate offset', 3, 3],
		['motor gear', 1, 6],
		['option gravity', 3, 3],
		['inertial pos', 3, 3],
	])('%s takes %d to %d', (subject, least, most) => {
		const [, name] = subject.split(' ') as [string, string];
		const said = (count: number): string[] => {
			const numbers = Array.from({ length: count }, (_, i) => (i + 1) / 8).join(' ');
			const found = importText(MODELS[subject]!(numbers)).report.toArray();
			return found.filter(({ code }) => code === 'MJCF006').map(({ message }) => message);
		};
		for (let count = least; count <= most; count++) expect(said(count), `${count} numbers`).toEqual([]);
		const wanted = least === most ? `expected ${least} numbers` : `expected ${least} to ${most} numbers`;
		for (const count of [least - 1, most + 1]) {
			if (count === 0) continue;
			const [message] = said(count);
			expect(message, `${count} numbers`).toContain(name);
			expect(message, `${count} numbers`).toContain(wanted);
		}
	});
});
