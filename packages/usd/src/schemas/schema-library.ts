/**
 * The schemas of one library as a table in a small language, read when one of them is first asked for.
 *
 * A line at the margin starts a class, a line that begins with a tab is one of its properties:
 *
 *     KIND Identifier [: Base] [@TypeName] [+ builtin...] [on type...] [auto type...] [names instance...]
 *         [override] [uniform] TYPE name [= fallback] [<allowed tokens>] [| notes]
 *         [override] rel name
 *
 * KIND is `concrete`, `abstract`, `base`, `nonApplied`, `single` or `multiple`. Without a base, typed schemas derive from
 * `Typed` and API schemas from `APISchemaBase`; `-` is no base. `+` lists the built-in API schemas, `on` the only types it
 * may be applied to, `auto` the types it is applied to by itself, `names` the instance names it allows. `{}` stands for
 * the instance name of a multiple-apply schema. A class lists what it adds to its base or says differently. `override`
 * marks a property that changes one of a built-in schema. Fallbacks are written as in usda. Notes are `group="..."`
 * (display group), `size=n` (array size constraint), `hard=a..b` and `soft=a..b` (limits) and `hidden`.
 */
export interface SchemaLibrary {
	/** Name of the library as OpenUSD has it: `usdGeom`. */
	readonly name: string;
	/** A type is named `typePrefix` followed by the identifier without `identifierPrefix`, unless `@` says otherwise. */
	readonly typePrefix: string;
	readonly identifierPrefix: string;
	readonly table: string;
}
