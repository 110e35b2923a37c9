import type { RosBus } from '@manyworlds/ros';

/** One line of the table. */
interface Row {
	readonly name: string;
	readonly type: string;
	readonly role: string;
	readonly qos: string;
}

/** What is served, as a table: names, types, roles and quality of service. Parts of actions are one line. */
export function graphTable(bus: RosBus): string {
	const rows: Row[] = [];
	const actions = new Set<string>();
	const action = (name: string, type: string): boolean => {
		const match = /^(.*)\/_action\/send_goal$/.exec(name);
		if (match !== null && !actions.has(match[1]!)) {
			actions.add(match[1]!);
			rows.push({ name: match[1]!, type: type.replace(/_SendGoal$/, ''), role: 'action', qos: '' });
		}
		return name.includes('/_action/');
	};
	const quality = ({ reliability, durability, depth }: RosBus['publishers'][number]['qos']): string =>
		`${reliability}, ${durability}, ${depth === 0 ? 'all' : depth}`;
	for (const { name, type, qos } of bus.publishers)
		if (!name.includes('/_action/')) rows.push({ name, type, role: 'publisher', qos: quality(qos) });
	for (const { name, type, qos } of bus.subscriptions)
		rows.push({ name, type, role: 'subscription', qos: quality(qos) });
	for (const { name, type } of bus.services)
		if (!action(name, type)) rows.push({ name, type, role: 'service', qos: '' });
	rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
	const width = (key: keyof Row): number => Math.max(0, ...rows.map((row) => row[key].length));
	const [names, roles, types] = [width('name'), width('role'), width('type')];
	return rows
		.map(({ name, role, type, qos }) =>
			`  ${name.padEnd(names)}  ${role.padEnd(roles)}  ${type.padEnd(types)}  ${qos}`.trimEnd(),
		)
		.join('\n');
}
