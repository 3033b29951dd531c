// The TypeScript of generated files: literals and unions.
export const literal = (value: unknown): string => JSON.stringify(value, null, 1);

export const union = (ids: readonly string[]): string =>
  ids.map((id) => `\n  | ${JSON.stringify(id)}`).join("") || " never";
