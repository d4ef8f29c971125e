import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  graphqlSync,
  isEnumType,
  isLeafType,
  isObjectType,
} from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { dataOf, sendGraphql, type Variables } from "../../support/graphql.ts";
import { library, tree } from "../../support/graphql-library.ts";
import type { Reply } from "../../support/request.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const path = join(import.meta.dirname, "..", "fixture", "generated", "graphql", "schema.graphql");
const schema = buildSchema(readFileSync(path, "utf8"));

type Field = GraphQLField<unknown, unknown>;
const fieldsOf = (type: GraphQLObjectType | null | undefined): Field[] =>
  Object.values(type?.getFields() ?? {});
const roots = fieldsOf(schema.getQueryType());
const lists = roots.filter(({ name }) => !name.endsWith("_aggregate"));
const aggregates = roots.filter(({ name }) => name.endsWith("_aggregate"));
const mutations = fieldsOf(schema.getMutationType());

function objectOf({ name, type }: Field): GraphQLObjectType {
  const named = getNamedType(type);
  if (!isObjectType(named)) throw new Error(`${name} is no object`);
  return named;
}

const leavesOf = (field: Field): string[] =>
  fieldsOf(objectOf(field)).flatMap(({ name, type }) => (isLeafType(getNamedType(type)) ? [name] : []));
const joinsOf = (field: Field): Field[] =>
  fieldsOf(objectOf(field)).filter(({ type }) => isObjectType(getNamedType(type)));

/** Values of an argument that its type allows. */
function valuesOf({ name, type }: GraphQLArgument): string[] {
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues().map((value) => value.name);
  if (named.name.endsWith("Filter")) return ["{ is_null: false }"];
  return [{ limit: "2", offset: "0", search: '"a"' }[name] ?? "null"];
}

const argumentsOf = ({ args }: Field): string[] =>
  args
    .flatMap((argument) => valuesOf(argument).map((value) => `${argument.name}: ${value}`))
    // Groups share the enum of orders, and have no direction.
    .filter((argument) => !/^groupBy: .*__desc$/.test(argument));

/** A root field, and the variables that it needs with their types. */
interface Asked {
  readonly text: string;
  readonly declared?: string;
  readonly variables?: Variables;
}

/**
 * Root fields are taken, or denied for want of access; nothing that the schema offers is unknown or malformed. They are
 * asked together, and one by one where one of them is denied.
 */
async function expectTaken(fields: readonly (string | Asked)[]): Promise<void> {
  const asked = fields.map((field): Asked => (typeof field === "string" ? { text: field } : field));
  for (let at = 0; at < asked.length; at += 20) {
    const some = asked.slice(at, at + 20);
    if ((await replyTo(some)).status === 200) continue;
    for (const one of some) {
      const reply = await replyTo([one]);
      expect([200, 403], `${reply.text} for ${JSON.stringify(one)}`).toContain(reply.status);
    }
  }
}

function replyTo(asked: readonly Asked[]): Promise<Reply> {
  const declared = asked.flatMap((one) => one.declared ?? []);
  const head = declared.length === 0 ? "" : `query (${declared.join(", ")}) `;
  const variables: Variables = Object.assign({}, ...asked.map((one) => one.variables ?? {}));
  const fields = asked.map(({ text }, key) => `r${key}: ${text}`);
  return sendGraphql(service, `${head}{ ${fields.join(" ")} }`, "admin", variables);
}

/** Each argument of a field by a variable of its own type, and a null where the type allows it. */
function asVariables(field: Field, selection: string): Asked[] {
  return field.args.flatMap((argument, at) => {
    const [literal = "null"] = valuesOf(argument);
    const value: Json =
      literal === "{ is_null: false }"
        ? { is_null: false }
        : isEnumType(getNamedType(argument.type))
          ? literal
          : JSON.parse(literal);
    return [value, null].map((sent, which): Asked => {
      const name = `${field.name}_${at}_${which}`;
      return {
        text: `${field.name}(${argument.name}: $${name}) { ${selection} }`,
        declared: `$${name}: ${argument.type}`,
        variables: { [name]: sent },
      };
    });
  });
}

// biome-ignore format: one case a line
const things = [
  { id: 1, string: "a", text: "b", integer: 1, float: 0.5, boolean: true, datetime: "2026-01-01", date: "2026-01-01" },
  { id: 2, email: "a@example.org", json: { a: [1] }, uuid: "1a000000-0000-4000-8000-000000000001", size: "small", grade: 2 },
];

beforeAll(() =>
  service.store({ ...library, ...tree, things, words: [{ on: "a", type: "input" }, { type: "null" }] }),
);

describe("the schema offers what the endpoint takes", () => {
  test.each(lists.map((field) => [field.name, field] as const))("%s", async (name, field) => {
    const leaf = leavesOf(field)[0] ?? "__typename";
    const joined = joinsOf(field).flatMap((join) => [
      ...leavesOf(join).map((inner) => `${name} { ${join.name} { ${inner} } }`),
      // The list arguments of a join are those of its model, which are all asked there.
      ...argumentsOf(join)
        .filter((argument) => !/^orderBy: .*(?<!created_at)$/.test(argument))
        .map((argument) => `${name} { ${join.name}(${argument}) { __typename } }`),
    ]);
    await expectTaken([
      ...leavesOf(field).map((one) => `${name} { ${one} }`),
      ...argumentsOf(field).map((argument) => `${name}(${argument}) { ${leaf} }`),
      ...joined,
      ...asVariables(field, leaf),
    ]);
  });

  test.each(aggregates.map((field) => [field.name, field] as const))("%s", async (name, field) => {
    const groups = argumentsOf(field).flatMap((argument) => /^groupBy: (.*)/.exec(argument)?.[1] ?? []);
    const grouped = (by: string): string => {
      if (groups.includes(by)) return `groupBy: ${by}`;
      return ["true", "false", "null"].includes(by) ? `groupBy: "${by}"` : "limit: 1";
    };
    await expectTaken([
      ...leavesOf(field).map((leaf) => `${name}(${grouped(leaf)}) { ${leaf} }`),
      ...joinsOf(field).flatMap((figure) =>
        leavesOf(figure).map((leaf) => `${name} { ${figure.name} { ${leaf} } }`),
      ),
      ...argumentsOf(field).map((argument) => {
        const by = /^orderBy: (.*?)(__desc)?$/.exec(argument)?.[1] ?? "count";
        const more = grouped(by) === "limit: 1" || argument.startsWith("groupBy") ? "" : `${grouped(by)}, `;
        return `${name}(${more}${argument}) { count }`;
      }),
      ...asVariables(field, "count").filter(({ text }) => !text.includes("(orderBy:")),
    ]);
  });

  test("each mutation is one", async () => {
    for (const { name, args } of mutations) {
      const passed = args.map((argument) => `${argument.name}: {}`).join(", ");
      const reply = await sendGraphql(service, `mutation { ${name}(${passed}) { __typename } }`, "unnamed");
      expect(reply.text).not.toMatch(/NOT_FOUND|nothing here|no mutation/);
    }
  });

  test("and no other model or operation", async () => {
    const known = new Set(mutations.map(({ name }) => name));
    expect(known.has("createLineItems") && known.has("createLineItems2")).toBe(true);
    expect([...known].filter((name) => /Ledger|Vaults|Users/.test(name))).toEqual([]);
    expect(known.has("restoreFolders")).toBe(false);
    expect(known.has("restoreBooks")).toBe(true);
    expect(roots.map(({ name }) => name).filter((name) => /^(users|vaults|ledger)/.test(name))).toEqual([]);
  });
});

describe("answers are of the types that the schema tells", () => {
  test.each(lists.map((field) => [field.name, field] as const))("%s", async (name, field) => {
    const readable: string[] = [];
    for (const leaf of leavesOf(field)) {
      const { status } = await sendGraphql(service, `{ ${name} { ${leaf} } }`, "admin");
      if (status === 200) readable.push(leaf);
    }
    for (const joined of joinsOf(field)) {
      const query = `{ ${name} { ${joined.name} { __typename } } }`;
      if ((await sendGraphql(service, query, "admin")).status === 200)
        readable.push(`${joined.name} { __typename }`);
    }
    if (readable.length === 0) return;
    const source = `{ ${name} { ${readable.join(" ")} } }`;
    const rootValue = await dataOf(service, source, "admin");
    // graphql-js reports an error for each value that the types do not allow, such as a null in a non-null field.
    expect(graphqlSync({ schema, source, rootValue })).toEqual({ data: rootValue });
  });
});
