// What a JSON Schema requires, and what is wrong with a value, in words.

const typeNames: { readonly [type: string]: string } = {
  array: "an array",
  boolean: "a boolean",
  function: "a function",
  integer: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

/** E.g. `a string`, what a value is to be; null for a keyword that has no such words. */
export function describeKeyword(keyword: string, params: { readonly [name: string]: unknown }): string | null {
  const listed = (value: unknown) => [value].flat() as readonly string[];
  const ofLength = (unit: string): string => `${String(params["limit"])} ${unit}${params["limit"] === 1 ? "" : "s"}`;
  switch (keyword) {
    case "type":
      return listed(params["type"])
        .map((type) => typeNames[type] ?? type)
        .join(" or ");
    case "const":
      return JSON.stringify(params["allowedValue"]);
    case "enum":
      return `one of ${listed(params["allowedValues"])
        .map((value) => JSON.stringify(value))
        .join(", ")}`;
    case "minimum":
      return `at least ${String(params["limit"])}`;
    case "maximum":
      return `at most ${String(params["limit"])}`;
    case "exclusiveMinimum":
      return `more than ${String(params["limit"])}`;
    case "minLength":
      return `at least ${ofLength("character")}`;
    case "maxLength":
      return `at most ${ofLength("character")}`;
    case "minItems":
      return `a list of at least ${ofLength("item")}`;
    case "maxItems":
      return `a list of at most ${ofLength("item")}`;
    case "pattern":
      return `a string that matches ${String(params["pattern"])}`;
    case "propertyNames":
      return `no member ${String(params["propertyName"])}`;
    case "not":
      return "no such member";
    default:
      return null;
  }
}

/** What is wrong with a value, after its name, e.g. `must be a string`. */
export function describeSchemaError(error: {
  readonly keyword: string;
  readonly params: { readonly [name: string]: unknown };
  readonly message?: string | undefined;
}): string {
  const { keyword, params, message = "is wrong" } = error;
  if (keyword === "required") return `lacks the field "${String(params["missingProperty"])}"`;
  const words = describeKeyword(keyword, params);
  return words === null ? message : `must be ${words}`;
}
