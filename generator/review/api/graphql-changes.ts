import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isScalarType,
  type BreakingChange as SchemaChange,
} from "graphql";
import { derivedTypes, pageNames } from "../../../vocabulary/graphql/names.ts";
import { operations } from "../../../vocabulary/operations.ts";
import { type ApiSide, objectIn } from "./api-side.ts";
import type { Finding } from "./findings.ts";

/** Reads a schema; null if it cannot be read. */
export function graphqlSchema(text: string): GraphQLSchema | null {
  try {
    return buildSchema(text, { assumeValid: true, noLocation: true });
  } catch {
    return null;
  }
}

/**
 * The changes of the GraphQL schema that the changes of the REST API do not explain: of joins, of internal models, and of types.
 * `known` are the findings of the REST API.
 */
export function graphqlChanges(
  was: GraphQLSchema,
  is: GraphQLSchema,
  api: ApiSide,
  known: readonly Finding[],
): Finding[] {
  const subjects = new Set(known.map(({ subject }) => subject.replace(/:$/, "")));
  const subjectOf = subjectFinder(was, api);
  const found = (changes: readonly { readonly description: string }[], kind: Finding["kind"]): Finding[] => {
    const groups = new Map<string, string[]>();
    for (const { description } of changes) {
      const subject = subjectOf(description);
      if (subject === null || isExplained(subject, subjects)) continue;
      const name = subject.join(".");
      groups.set(name, [...(groups.get(name) ?? []), description.replace(/\.$/, "")]);
    }
    return [...groups.values()].map(([first = "", ...others]) => {
      const more = others.length === 0 ? "" : `, and ${others.length} more of it`;
      return { kind, subject: "GraphQL:", what: first + more, by: "anyone who uses it in GraphQL" };
    });
  };
  const added = findDangerousChanges(was, is).filter(({ type }) => type === "VALUE_ADDED_TO_ENUM");
  return [
    ...found(
      findBreakingChanges(was, is).filter((change) => !isUnusedScalar(change, was)),
      "other",
    ),
    ...found(
      added.filter(({ description }) => isAnswered(enumIn(description), was)),
      "new value",
    ),
  ];
}

/** Callers do not notice that a scalar is gone: the fields that used it have another type. */
function isUnusedScalar({ type, description }: SchemaChange, schema: GraphQLSchema): boolean {
  return (
    type === "TYPE_REMOVED" && isScalarType(schema.getType(/(\w+) was removed/.exec(description)?.[1] ?? ""))
  );
}

function enumIn(description: string): string {
  return / enum type (\w+)/.exec(description)?.[1] ?? "";
}

function isAnswered(name: string, schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) =>
      isObjectType(type) &&
      Object.values(type.getFields()).some((field) => getNamedType(field.type).name === name),
  );
}

/** A model, and the part of it: a field, an operation or a join. */
type Subject = readonly [model: string, ...part: readonly string[]];

/** Whether the REST API has a change of the same model, or of the same part. */
function isExplained([model, part = ""]: Subject, subjects: ReadonlySet<string>): boolean {
  return subjects.has(model) || subjects.has(`${model}.${part}`);
}

/** Finds the subject of a description of graphql-js, such as `Query.books arg title was removed.` Null if no caller notices. */
function subjectFinder(schema: GraphQLSchema, api: ApiSide): (description: string) => Subject | null {
  const owners = new Map<string, Subject>();
  for (const { key, ownKey, typeName, component, nameOf } of api.models.values()) {
    const fields = ["Part", "Input"].flatMap((part) =>
      Object.keys(objectIn(objectIn(api.schemas, component + part), "properties")),
    );
    const source = { key: ownKey, typeName, enums: [], internal: false };
    for (const name of [ownKey, ...derivedTypes(source), ...pageNames(source)]) owners.set(name, [key]);
    for (const field of fields) owners.set(`${typeName}_${field}`, [key, nameOf(field)]);
    for (const operation of operations) owners.set(`${operation}${typeName}`, [key, operation]);
  }
  return (description) => {
    const [, addedField, input] = /^A required field (\w+) on input type (\w+)/.exec(description) ?? [];
    const [, addedArgument, addedOn] = /^A required arg (\w+) on ([\w.]+) was/.exec(description) ?? [];
    const [, value, enumName] =
      /^(\w+) was (?:removed from|added to) enum type (\w+)/.exec(description) ?? [];
    const [, coordinate = "", argument] =
      /^(?:Standard scalar )?([\w.]+)(?: arg (\w+))?/.exec(description) ?? [];
    const [type = "", field] = (enumName ?? input ?? addedOn ?? coordinate).split(".");
    const part = value?.replace(/__desc$/, "") ?? addedField ?? addedArgument ?? argument;
    return subjectOf(type, field, part);
  };

  function subjectOf(type: string, field: string | undefined, part: string | undefined): Subject | null {
    const isRoot = type === "Query" || type === "Mutation";
    // A schema without queries has this field.
    if (isRoot && field === "_") return null;
    const answered = fieldType(type, field);
    const [model = type, own] =
      owners.get(
        isRoot || part !== undefined ? (owners.has(field ?? "") && isRoot ? (field ?? "") : answered) : type,
      ) ??
      owners.get(type) ??
      [];
    const name = part ?? (isRoot ? undefined : field) ?? own;
    return name === undefined ? [model] : [model, name];
  }

  function fieldType(type: string, field: string | undefined): string {
    const found = schema.getType(type);
    const of = isObjectType(found) && field !== undefined ? found.getFields()[field]?.type : undefined;
    return of === undefined ? type : getNamedType(of).name;
  }
}
