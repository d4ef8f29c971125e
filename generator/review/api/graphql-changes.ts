import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  isScalarType,
} from "graphql";
import { derivedTypes, pageNames } from "../../../vocabulary/graphql/names.ts";
import { operations } from "../../../vocabulary/operations.ts";
import { type ApiSide, propertiesOf } from "./api-side.ts";
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
      const tokens = (change.match(/\w+/g) ?? []).flatMap(
        (word) => words.get(word) ?? [word.replace(/__desc$/, "")],
      );
      const names = tokens.flatMap((model) => tokens.map((part) => `${model}.${part}`));
      if (tokens.some((each) => models.has(each)) || names.some((each) => explained.has(each))) continue;
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

function textsOf(changes: readonly { readonly description: string }[]): string[] {
  return changes.map(({ description }) => description);
}

/** Aggregates follow from fields. Unused scalars and empty roots follow too, and `_` is only in a schema without queries. */
function isUnnoticed(change: string, schema: GraphQLSchema): boolean {
  const [, removed = ""] = /^(?:Standard scalar )?(\w+) was removed(?: because|\.)/.exec(change) ?? [];
  if (isScalarType(schema.getType(removed)) || /^(Query|Mutation)$/.test(removed)) return true;
  return /^Query\._ |_aggregate(_|\b)|AggregateOrderBy\b/.test(change);
}

/** For names of GraphQL their models, with the field or the operation, and the names of all these parts. */
function namesOf(api: ApiSide) {
  const words = new Map<string, readonly string[]>();
  const parts = new Set<string>();
  for (const { key, ownKey, typeName, component, nameOf } of api.models.values()) {
    const source = { key: ownKey, typeName, enums: [], internal: false };
    for (const name of [ownKey, ...derivedTypes(source), ...pageNames(source)])
      words.set(name, [ownKey, key]);
    for (const operation of operations) words.set(operation + typeName, [ownKey, key, operation]);
    const fields = propertiesOf(api, component);
    for (const field of fields) words.set(`${typeName}_${field}`, [ownKey, key, nameOf(field)]);
    for (const part of [...fields, ...operations]) parts.add(`${key}.${part}`);
  }
  return { words, parts };
}
