import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  isScalarType,
} from "graphql";
import { derivedTypes, pageNames } from "../../../vocabulary/graphql/names.ts";
import { operations } from "../../../vocabulary/operations.ts";
import type { ApiSide } from "./api-side.ts";
import type { ApiFinding } from "./findings.ts";

/** Reads a schema; null if it cannot be read. */
export function graphqlSchema(text: string): GraphQLSchema | null {
  try {
    return buildSchema(text, { assumeValid: true, noLocation: true });
  } catch {
    return null;
  }
}

/**
 * The changes of the GraphQL schema that those of the REST API do not explain: of joins, of internal models, of types and arguments.
 * `known` are the findings of the REST API.
 */
export function graphqlChanges(
  was: GraphQLSchema,
  is: GraphQLSchema,
  api: ApiSide,
  known: readonly ApiFinding[],
): ApiFinding[] {
  const { words, parts } = namesOf(api);
  const models = new Set(known.filter(({ kind }) => kind === "model").map(({ subject }) => subject));
  const found = (changes: readonly string[], kind: ApiFinding["kind"]): ApiFinding[] => {
    const explained = new Set(
      known.filter((each) => each.kind !== "new value" || kind === each.kind).map(({ subject }) => subject),
    );
    const groups = new Map<string, string[]>();
    for (const change of changes.filter((each) => !isUnnoticed(each, was))) {
      const { keys, part } = placeOf(change, words);
      const types = (/ changed type from (.*)$/.exec(change)?.[1] ?? "").match(/\w+/g) ?? [];
      const names = keys.map((model) => `${model}.${part}`);
      if ([...keys, ...types].some((each) => models.has(each)) || names.some((each) => explained.has(each)))
        continue;
      const place = names.find((each) => parts.has(each)) ?? change;
      groups.set(place, [...(groups.get(place) ?? []), change]);
    }
    return [...groups].map(([place, [first = "", ...others]]) => {
      const more = others.length === 0 ? "" : `, and ${others.length} more of ${place}`;
      return {
        kind,
        subject: "GraphQL:",
        what: first.replace(/\.$/, more),
        by: "anyone who uses it in GraphQL",
      };
    });
  };
  const added = findDangerousChanges(was, is).filter(({ type }) => type === "VALUE_ADDED_TO_ENUM");
  return [
    ...found(textsOf(findBreakingChanges(was, is)), "other"),
    // Answers have no values of an order.
    ...found(
      textsOf(added).filter((text) => !/OrderBy\.$/.test(text)),
      "new value",
    ),
  ];
}

/** How `graphql` writes the place of a change. */
const forms = [
  /^(?<member>\w+) was (?:removed from|added to) \w+ type (?<type>\w+)/,
  /^A required \w+ (?<argument>\w+) on (?:input type )?(?<type>\w+)(?:\.(?<member>\w+))?/,
  /^(?<type>\w+)(?:\.(?<member>\w+))?(?: arg (?<argument>\w+))?/,
];

/** The keys of the model that a change is in, and its field, operation or argument. */
function placeOf(change: string, words: ReadonlyMap<string, ModelWords>) {
  const form = forms.find((each) => each.test(change));
  const { type = "", member = "", argument = "" } = form?.exec(change)?.groups ?? {};
  const isRoot = type === "Query" || type === "Mutation";
  const { keys = [], part = argument || (isRoot ? "" : member) } = words.get(isRoot ? member : type) ?? {};
  return { keys, part: part.replace(/__desc$/, "") };
}

function textsOf(changes: readonly { readonly description: string }[]): string[] {
  return changes.map(({ description }) => description);
}

/** Aggregates follow from fields. Unused scalars and empty roots follow too, and `_` is only in a schema without queries. */
function isUnnoticed(change: string, schema: GraphQLSchema): boolean {
  const [, removed = ""] = /^(?:Standard scalar )?(\w+) was removed(?: because|\.)/.exec(change) ?? [];
  if (isScalarType(schema.getType(removed)) || /^(Query|Mutation)$/.test(removed)) return true;
  return /^Query\._ |_aggregate(_|\b)|AggregateOrderBy\b/.test(change);
}

/** The model that a name of GraphQL belongs to. */
interface ModelWords {
  /** Its key on both sides. */
  readonly keys: readonly string[];
  /** The field or the operation, if the name is of one. */
  readonly part?: string;
}

/** The models of names of GraphQL, and the names of all fields and operations. */
function namesOf(api: ApiSide) {
  const words = new Map<string, ModelWords>();
  const parts = new Set<string>();
  for (const { key, ownKey, typeName, fields, nameOf } of api.models.values()) {
    const [source, keys] = [{ key: ownKey, typeName, enums: [], internal: false }, [ownKey, key]];
    for (const name of [ownKey, ...derivedTypes(source), ...pageNames(source)]) words.set(name, { keys });
    for (const part of operations) words.set(part + typeName, { keys, part });
    for (const field of fields) words.set(`${typeName}_${field}`, { keys, part: nameOf(field) });
    for (const part of [...fields, ...operations]) parts.add(`${key}.${part}`);
  }
  return { words, parts };
}
