import type { ModelDefinition } from "../../definition/definition.ts";

/** Suffixes of the components of a model: of schemas, responses and parameters. */
const suffixes = [
  ...["", "Part", "Input", "Create", "Update", "Upsert", "Restore", "Filter", "Field"],
  ...["Rows", "Created", "Where", "OrderBy", "Select"],
];

/** Types that generated clients export. A model's types have the names of its schemas. */
const clientTypes = [
  ...[
    "ApiError",
    "Auth",
    "Call",
    "CallOptions",
    "Client",
    "ClientOptions",
    "ErrorCode",
    "ErrorTable",
    "Failure",
  ],
  ...[
    "Graphql",
    "Models",
    "Page",
    "Query",
    "ReadQuery",
    "Result",
    "Routes",
    "Selected",
    "Session",
    "SessionStore",
  ],
];

/**
 * Names of schemas by model key. A name is the one of GraphQL, with a number if another model, a shared component or a type of
 * clients has one of its names.
 */
export function componentNames(
  models: readonly ModelDefinition[],
  shared: Iterable<string>,
): ReadonlyMap<string, string> {
  const taken = new Set([...clientTypes, ...shared]);
  const names = new Map<string, string>();
  for (const { key, typeName } of models) {
    const componentsOf = (name: string) => suffixes.map((suffix) => name + suffix);
    let name = typeName;
    for (let number = 2; componentsOf(name).some((each) => taken.has(each)); number++)
      name = `${typeName}${number}`;
    for (const each of componentsOf(name)) taken.add(each);
    names.set(key, name);
  }
  return names;
}
