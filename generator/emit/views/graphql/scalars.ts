/** What `templates/graphql-scalars.hbs` prints: the scalars of the schema as TypeScript, for GraphQL Code Generator. */
export interface ScalarsView {
  readonly imports: null;
  /** `"BigInt": "number",` */
  readonly lines: readonly string[];
}

const equality = ["eq", "neq"];
const order = ["gt", "gte", "lt", "lte"];
const patterns = ["like", "ilike"];

const types: Readonly<Record<string, string>> = {
  BigInt: "number",
  DateTime: "string",
  Date: "string",
  UUID: "string",
  JSON: "unknown",
  StringFilter: filter("string", [...equality, ...order, ...patterns]),
  IntFilter: filter("number", [...equality, ...order]),
  BigIntFilter: filter("number | string", [...equality, ...order]),
  FloatFilter: filter("number", [...equality, ...order]),
  BooleanFilter: filter("boolean", equality),
  UUIDFilter: filter("string", equality),
  DateFilter: filter("string", [...equality, ...order]),
  DateTimeFilter: filter("string", [...equality, ...order]),
  EnumFilter: filter("string | number", equality),
  JSONFilter: "null | { eq?: null; is_null?: boolean }",
};

/** The view of `graphql/scalars.json`. */
export function scalarsView(): ScalarsView {
  const lines = Object.entries(types).map(
    ([name, type]) => `${JSON.stringify(name)}: ${JSON.stringify(type)}`,
  );
  return { imports: null, lines: lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line)) };
}

/** A plain value, null, or an object of operators. */
function filter(type: string, operators: readonly string[]): string {
  const values = operators.map((name) => `${name}?: ${name === "eq" ? `${type} | null` : type}`);
  const lists = ["in", "nin"].map(
    (name) => `${name}?: readonly ${type.includes("|") ? `(${type})` : type}[]`,
  );
  return `${type} | null | { ${[...values, ...lists, "is_null?: boolean"].join("; ")} }`;
}
