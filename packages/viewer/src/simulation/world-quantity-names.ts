/** Numbers that tell worlds apart. */
export const WORLD_QUANTITIES = {
	height: 'Height of the first link [m]',
	speed: 'Speed of the first link [m/s]',
	energy: 'Energy [J]',
	contacts: 'Contacts',
} as const;
export type WorldQuantity = keyof typeof WORLD_QUANTITIES;
