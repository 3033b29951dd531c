// Rules, and changes of them: some members at any depth, the rest as it was

type Whole = string | number | bigint | boolean | null | undefined | readonly unknown[];

/** A rule's honest value, followed by those that mutants and unspecified choices put in its place. */
export const rule = <const Value>(honest: Value, ..._others: readonly Value[]): Value => honest;

/** All that a platform may choose where the interface is silent; the reference's own choice comes first. */
export const either = <const Value>(own: Value, ...others: readonly Value[]): readonly [Value, ...Value[]] => [
  own,
  ...others,
];

/** Choices by name, at any depth. */
export interface ChoiceTable {
  readonly [name: string]: readonly [unknown, ...unknown[]] | ChoiceTable;
}

/** One of the alternatives for each choice. */
export type Chosen<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends readonly (infer Value)[] ? Value : Chosen<Table[Name]>;
};

/** What the reference chooses. */
export const firstOf = <Table extends ChoiceTable>(table: Table): Chosen<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([name, some]) => [name, Array.isArray(some) ? some[0] : firstOf(some as ChoiceTable)]),
    // The compiler can't follow entries to the members that they come from.
  ) as Chosen<Table>;

/** Some members of rules, at any depth; lists are replaced whole. */
export type ChangeOf<Rules> = Rules extends Whole
  ? Rules
  : { readonly [Member in keyof Rules]?: ChangeOf<Rules[Member]> };

const isTable = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Rules with some members changed. */
export function changed<Rules>(rules: Rules, change?: ChangeOf<NoInfer<Rules>>): Rules {
  if (!isTable(rules) || !isTable(change)) return (change === undefined ? rules : change) as Rules;
  const members = Object.entries(change).map(([name, inner]) => [name, changed(rules[name], inner as never)]);
  // Each member has the type that it had.
  return { ...rules, ...Object.fromEntries(members) } as Rules;
}
