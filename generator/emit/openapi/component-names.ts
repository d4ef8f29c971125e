import type { ModelDefinition } from "../../definition/definition.ts";

/** Suffixes of the components of a model: of schemas, responses and parameters. */
const suffixes = [
  ...["", "Part", "Input", "Create", "Update", "Upsert", "Restore", "Removal", "Filter", "Field"],
  ...["Rows", "Created", "Where", "OrderBy", "Select", "Api"],
];

/** Types that generated clients declare or use. A model's types have the names of its schemas. */
export const clientTypeNames: readonly string[] = [
  // Exported ones.
  `ApiError ApiKeys Auth Call CallOptions Client ClientCode ClientModels ClientOptions Counts CreateReport Creates CreatesMany
  Deleted Deletes Destroyed Destroys EqualFilter ErrorCode ErrorTable Exists FailedRecord Failure Fetches FilePages Graphql
  GraphqlArguments ListFilter Models NativeFile NullFilter OrderFilter OwnAccount OwnSessions Page Passkeys Query RateLimits ReadQuery Removal Restored Restores
  Result Routes Searches Selected SendsGraphql Session Sessions SessionStore Social Storage TextFilter TypedDocument Updated
  UpdateReport Updates UpdatesMany Upload Upserts Users`,
  // Others.
  `AnsweredTokens AnyQuery ApiRequest Change Envelope ErrorFacts Group Options Outgoing Received Send SessionKeeper Stoppable StoredFiles
  Success Tables`,
  // Those of TypeScript and of the platform.
  `AbortSignal AsyncGenerator AsyncIterable Blob BodyInit Error Exclude Headers NonNullable Omit Partial Pick Promise PromiseLike Readonly
  Record RequestCredentials RequestInit Response ReturnType XMLHttpRequestBodyInit`,
].flatMap((names) => names.split(/\s+/));

/**
 * Names of schemas by model key. A name is the one of GraphQL, with a number if another model, a shared component or a type of
 * clients has one of its names.
 */
export function componentNames(
  models: readonly ModelDefinition[],
  shared: Iterable<string>,
): ReadonlyMap<string, string> {
  const taken = new Set([...clientTypeNames, ...shared]);
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
