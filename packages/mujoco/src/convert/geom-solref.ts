import { contactDamping, hasContactDefaults } from './contact-gains.ts';
import type { Conversion } from './conversion.ts';
import { DEFAULT_SOLREF, SolrefMode, solrefOfGains } from './solref.ts';

/** Contact parameters of a shape: its authored numbers, MuJoCo's own for a shape that says nothing, or its stiffness and damping. */
export function geomSolref(conversion: Pick<Conversion, 'model' | 'attributes'>, shape: number): ArrayLike<number> {
	const { model, attributes } = conversion;
	const mode = attributes.number('solref_mode', shape) ?? SolrefMode.MJCF_DEFAULT;
	const authored = mode === SolrefMode.RAW ? attributes.row('solref', shape, 2) : undefined;
	if (authored !== undefined) return authored;
	if (hasContactDefaults(model, shape)) return DEFAULT_SOLREF;
	return solrefOfGains(model.shapeMaterialKe[shape]!, contactDamping(model, shape));
}
