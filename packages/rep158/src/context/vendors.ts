/** A family of opinions that only one engine or tool understands. @public */
export interface Vendor {
	readonly name: string;
	/** First parts of property names: `physx` also stands for `physxRigidBody:`. */
	readonly prefixes: readonly string[];
	/** Beginnings of the names of applied schemas and prim types. */
	readonly schemas: readonly string[];
	/** Applied schemas and prim types that carry no prefix of their vendor. */
	readonly names?: readonly string[];
	/** Names of layers that belong to the vendor. */
	readonly layers: readonly string[];
}

/** Vendors whose opinions are met in real assets. @public */
export const VENDORS: readonly Vendor[] = [
	{
		name: 'physx',
		prefixes: ['physx', 'omniphysics', 'state'],
		schemas: ['Physx'],
		names: ['PhysicsJointStateAPI'],
		layers: ['physx'],
	},
	{
		name: 'isaac',
		prefixes: ['isaac', 'omni', 'omnigraph'],
		schemas: ['Isaac', 'Omni', 'Ros2Bridge'],
		layers: ['isaac', 'isaacsim', 'isaaclab', 'omni', 'omniverse'],
	},
	{ name: 'mujoco', prefixes: ['mjc', 'mujoco'], schemas: ['Mjc', 'Mujoco'], layers: ['mujoco', 'mjc', 'mjcf'] },
	{ name: 'newton', prefixes: ['newton'], schemas: ['Newton'], layers: ['newton'] },
	{ name: 'o3de', prefixes: ['o3de'], schemas: ['O3de'], layers: ['o3de'] },
	{ name: 'gazebo', prefixes: ['gazebo', 'gz', 'ignition'], schemas: ['Gazebo', 'Gz'], layers: ['gazebo', 'gz'] },
	{ name: 'genesis', prefixes: ['genesis'], schemas: ['Genesis'], layers: ['genesis'] },
	{ name: 'drake', prefixes: ['drake'], schemas: ['Drake'], layers: ['drake'] },
	{ name: 'unity', prefixes: ['unity'], schemas: ['Unity'], layers: ['unity'] },
	{ name: 'unreal', prefixes: ['unreal'], schemas: ['Unreal'], layers: ['unreal', 'ue'] },
	{ name: 'simready', prefixes: ['simready'], schemas: ['SimReady', 'Simready'], layers: ['simready'] },
];

/** Tells to which vendor names belong. @public */
export class VendorRegistry {
	readonly #vendors: readonly Vendor[];
	readonly #properties = new Map<string, string | undefined>();
	readonly #schemas = new Map<string, string | undefined>();

	/** @param further - further prefixes by vendor */
	constructor(further: ReadonlyMap<string, readonly string[]> = new Map()) {
		const own = [...further].map(([name, prefixes]) => ({
			name,
			prefixes: prefixes.map((prefix) => prefix.replace(/:$/, '')),
			schemas: prefixes.map((prefix) => capitalized(prefix.replace(/:$/, ''))),
			layers: [name],
		}));
		this.#vendors = [...own, ...VENDORS];
	}

	/** The vendor of a property by the first part of its name; undefined for neutral ones and those without a namespace. */
	ofProperty(name: string): string | undefined {
		const end = name.indexOf(':');
		if (end < 0) return undefined;
		const first = name.slice(0, end);
		if (!this.#properties.has(first)) this.#properties.set(first, this.#findProperty(first));
		return this.#properties.get(first);
	}

	/** The vendor of an entry of a dictionary: one named like the vendor or its properties. */
	ofKey(key: string): string | undefined {
		const own = this.#vendors.find(({ name, layers }) => name === key || layers.includes(key))?.name;
		return own ?? this.ofProperty(key.includes(':') ? key : `${key}:`);
	}

	/** The vendor of an applied schema or prim type. */
	ofSchema(name: string): string | undefined {
		if (!this.#schemas.has(name)) this.#schemas.set(name, this.#findSchema(name));
		return this.#schemas.get(name);
	}

	/** The vendor that a layer belongs to by its name. */
	ofLayer(stem: string): string | undefined {
		const words = stem.toLowerCase().split(/[^a-z0-9]+/);
		return this.#vendors.find(({ layers }) => words.some((word) => layers.includes(word)))?.name;
	}

	#findProperty(first: string): string | undefined {
		return this.#vendors.find(({ prefixes }) =>
			prefixes.some(
				(prefix) => first === prefix || (first.startsWith(prefix) && /^[A-Z]/.test(first.slice(prefix.length))),
			),
		)?.name;
	}

	#findSchema(name: string): string | undefined {
		const bare = name.split(':')[0]!;
		return this.#vendors.find(
			({ schemas, names }) =>
				names?.includes(bare) === true ||
				schemas.some((prefix) => bare.startsWith(prefix) && /^(?:[A-Z0-9]|$)/.test(bare.slice(prefix.length))),
		)?.name;
	}
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
