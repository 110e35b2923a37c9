/** Kinds of quantities that a run can record, with their units; those of joints depend on the joint. @public */
export const QUANTITY_GROUPS = {
	energy: 'J',
	kinetic: 'J',
	potential: 'J',
	contacts: '',
	height: 'm',
	position: 'm, rad',
	velocity: 'm/s, rad/s',
	body: 'm',
	iterations: '',
	residual: '',
} as const;
/** One of the kinds of {@link QUANTITY_GROUPS}. @public */
export type QuantityGroup = keyof typeof QUANTITY_GROUPS;
