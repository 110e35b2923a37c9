import type { ConversionInterface } from '../model/conversion-model.ts';

/** What a topic, service, action or controller is, as plain data with the same keys in the same order every time. */
export function interfaceNote(item: ConversionInterface, frameOf: (frame: string) => string): Record<string, unknown> {
	const { kind, name, type, role, rate, qos, frame, startsEnabled, domain, values } = item;
	return {
		kind,
		name,
		type,
		...(role === '' ? {} : { role }),
		...(rate === undefined ? {} : { rate }),
		...(frame === undefined ? {} : { frame_id: frameOf(frame) }),
		...(startsEnabled ? {} : { starts_enabled: false }),
		...(domain === undefined ? {} : { domain_id: domain }),
		...(qos === undefined
			? {}
			: {
					qos: {
						reliability: qos.reliability,
						durability: qos.durability,
						history: qos.history,
						depth: qos.depth,
						...(qos.matchPublisher ? { match_publisher: true } : {}),
					},
				}),
		...(values === undefined ? {} : { values }),
	};
}
