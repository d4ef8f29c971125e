import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { and, caller, eq, field, isNull, ne, not, or } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import {
  call,
  children,
  model,
  mounted,
  parent,
  type Reply,
  type Request,
  type Row,
  sameRules,
  token,
} from "../support/model-service.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { startWorld } from "./support/models.ts";
import { found, type Rules } from "./support/tenants.ts";

const folders = ["data/sql", "data/sql/conditions", "api/graphql/statements"].map((name) =>
  join(import.meta.dirname, "../../runtime", name),
);
const comments = /^ *(?:\/?\*|\/\/).*$/gm;
const sources = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8").replaceAll(comments, "")),
);
const called = (pattern: RegExp): string[] =>
  sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = ""]) => name));

const expressions = called(/([\w$]+) as (?:materialized )?\(/g);
const lists = called(/\bas \w+ \((\w+(?:, \w+)*)\)/g).flatMap((list) => list.split(", "));

/** What statements call something themselves: aliases, columns, and expressions without their `$`. */
const names = new Set([
  ...called(/\bas ([a-z]\w*)\b/g),
  ...lists,
  ...expressions.map((name) => name.replace("$", "")),
  "excluded",
  "t0",
  "t1",
  "t2",
]);
// No field can have it.
names.delete("id");

describe("names of common table expressions", () => {
  it("end in $, which no table has", () => {
    expect(expressions).toContain("target$");
    expect(expressions.filter((name) => !name.endsWith("$"))).toEqual([]);
    expect([...names]).toEqual(expect.arrayContaining(["t", "v", "r", "verdict", "record", "page"]));
  });
});

/** A table that is called like its field, and whose rows belong to rows of its own. */
const modelCalled = (name: string, id: Model["id"], softDelete: boolean): Model =>
  model(
    name,
    { [name]: { kind: "string", searchable: true }, amount: "integer?", above_id: `${id}?` },
    {
      id,
      softDelete,
      unique: [[name]],
      relations: { above: parent(name, "above_id"), below: children(name, "above_id") },
    },
  );

const entryOf = (subject: Model) => {
  const open = and(or(isNull("above_id"), ne("above.amount", 99)), ne(subject.key, "closed"));
  return mounted(subject, sameRules({ admin: true, user: open, own: eq(subject.key, "b") }));
};

/** What documents of these tests answer, each under some of the keys. */
interface Answer {
  readonly one: Row;
  readonly two: Row;
  readonly rows: readonly Row[];
  readonly figures: readonly Row[];
}

const kinds = [
  { id: "uuid", softDelete: true },
  { id: "bigint", softDelete: false },
] as const;

describe.each(kinds)("every operation on tables and fields with these names: %o", async (of) => {
  const { id, softDelete } = of;
  const models = [...names].map((name) => modelCalled(name, id, softDelete));
  const world = await startWorld({ models: models.map(entryOf) });

  it.each([...names])("%s", async (name) => {
    for (const role of ["admin", "user"]) {
      await world.db.query(`delete from "${name}"`);
      await overRest(name, role);
      await world.db.query(`delete from "${name}"`);
      await overGraphql(name, role);
    }
  });

  async function answered(request: Request, role: string): Promise<Reply> {
    const reply = await world.send({ token: token(role), ...request });
    expect(reply.status, `${reply.text} for ${JSON.stringify(request)}`).toBe(200);
    return reply;
  }

  async function overRest(name: string, role: string): Promise<void> {
    const send = async (method: string, operation: string, body?: object) => {
      const path = `/${name}/${operation}`;
      return (await answered({ method, path, ...(body !== undefined && { body }) }, role)).json.data;
    };
    const { id: a } = await send("POST", "create", { data: { [name]: "a", amount: 1 } });
    const made = await send("POST", "create", {
      data: ["b", "c"].map((value) => ({ [name]: value, above_id: a })),
    });
    const [b, c] = made.inserted_ids;
    const page = `fetch?${name}__in=["b"]&order_by=${name}&page=1&select_fields=${name},above_id`;
    expect(await send("GET", page)).toEqual([{ [name]: "b", above_id: a }]);
    expect(await send("GET", `search?search_term=B&order_by=${name}`)).toEqual([
      expect.objectContaining({ id: b }),
    ]);
    expect(await send("GET", `count?${name}__like=b`)).toEqual({ count: 1 });
    expect(await send("GET", `exists?${name}__ne=b`)).toEqual({ exists: true });
    const where = { [name]: "b" };
    expect(await send("PUT", "update", { where, data: { amount: 2 } })).toMatchObject({ updated_ids: [b] });
    const each = [b, c].map((one, index) => ({ id: one, [name]: `new ${index}`, amount: index }));
    expect(await send("PUT", "update", { data: each })).toMatchObject({ updated_ids: [b, c] });
    expect(await send("PUT", "upsert", { data: { [name]: "new 0", amount: 5 } })).toEqual({ id: b });
    expect(await send("PUT", "upsert", { data: { id: b, [name]: "b", above_id: a } })).toEqual({ id: b });
    const { id: d } = await send("PUT", "upsert", { data: { [name]: "d", above_id: a } });
    expect(await send("DELETE", "delete", { ids: [c] })).toMatchObject({ deleted_ids: [c] });
    expect(await send("DELETE", "delete", { query: where })).toMatchObject({ deleted_ids: [b] });
    if (softDelete)
      expect(
        await send("PATCH", "restore", { where: { id: b }, data: { deleted_at: null, amount: 3 } }),
      ).toMatchObject({ restored_ids: [b] });
    expect(await send("DELETE", "destroy", { ids: [d] })).toMatchObject({ destroyed_ids: [d] });
    const rest = { query: { [`${name}__in`]: ["a", "b", "new 1"] } };
    expect(await send("DELETE", "destroy", rest)).toMatchObject({ destroyed_count: softDelete ? 3 : 1 });
  }

  async function overGraphql(name: string, role: string): Promise<void> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const ask = async (query: string, variables: Row = {}): Promise<Answer> => {
      const { text } = await answered(call("POST /graphql", { query, variables }), role);
      return JSON.parse(text).data;
    };
    const row = `{ id ${name} above { ${name} } below(${name}: { neq: "x" }, orderBy: ${name}) { ${name} above { amount } } }`;
    const kind = id === "uuid" ? "UUID" : "BigInt";
    const { one } = await ask(`mutation { one: create${type}(input: { ${name}: "a", amount: 1 }) ${row} }`);
    const two = `mutation ($above: ${kind}) { two: upsert${type}(input: { ${name}: "b", above_id: $above }) ${row} }`;
    const made = await ask(two, { above: one["id"] });
    expect(made.two).toEqual({ id: expect.anything(), [name]: "b", above: { [name]: "a" }, below: [] });
    const ids = [made.two["id"]];
    const updated = await ask(
      `mutation { rows: update${type}(where: { ${name}: "b" }, input: { amount: 2 }) ${row} }`,
    );
    expect(updated.rows).toEqual([made.two]);
    const read = await ask(`{
    rows: ${name}(search: "B", ${name}: { like: "b" }, orderBy: "-${name}") ${row}
    figures: ${name}_aggregate(groupBy: ${name}, orderBy: "-max_amount") { ${name} count max { amount ${name} } }
  }`);
    expect(read.rows).toEqual([made.two]);
    expect(read.figures).toEqual([
      { [name]: "b", count: 1, max_amount: 2, [`max_${name}`]: "b" },
      { [name]: "a", count: 1, max_amount: 1, [`max_${name}`]: "a" },
    ]);
    const removed = `mutation ($ids: [${kind}!]) { rows: delete${type}(ids: $ids) ${row} }`;
    expect((await ask(removed, { ids })).rows).toEqual([made.two]);
    if (softDelete) {
      const back = `mutation { rows: restore${type}(where: { ${name}: "b" }, input: { deleted_at: null }) ${row} }`;
      expect((await ask(back)).rows).toEqual([made.two]);
      const gone = `mutation ($ids: [${kind}!]) { rows: destroy${type}(ids: $ids) ${row} }`;
      expect((await ask(gone, { ids })).rows).toEqual([made.two]);
    }
    const last = await ask(`mutation { rows: destroy${type}(where: { ${name}: { in: ["a"] } }) ${row} }`);
    expect(last.rows).toEqual([{ id: one["id"], [name]: "a", above: null, below: [] }]);
  }
});

// PostgreSQL cuts names after 63 bytes without a word, so that two aliases could become one.
const long = (start: string) => `${start}_${"n".repeat(62 - start.length)}`;
const [table, parentId, up, down, owner] = ["rows", "parent_id", "parent", "children", "owner_id"].map(
  long,
) as [string, string, string, string, string];

const nodes = model(
  table,
  { [parentId]: "bigint?", [owner]: "bigint?" },
  {
    slug: "nodes",
    softDelete: true,
    relations: { [up]: parent(table, parentId), [down]: children(table, parentId) },
    foreignKeys: [{ name: "nodes_parent_fkey", field: parentId }],
  },
);

const six = `${up}.`.repeat(6);
const mine: Condition = eq(owner, caller.user_id);

/** What a rule says, and the nodes for which it holds: 1 is the root of a chain of 8, whose owner is user 1; that of 8 is user 2. */
// biome-ignore format: one entry a line
const cases: Record<string, [Condition, number[]]> = {
  path: [eq(`${six}${owner}`, caller.user_id), [7]],
  two: [and(eq(`${six}id`, 1), eq(`${six}${owner}`, field(`${up}.${owner}`))), []],
  upwards: [found(six.slice(0, -1), mine), [7]],
  downwards: [found(Array.from({ length: 6 }, () => down).join("."), eq(owner, 2)), [2]],
  deep: [found(up, found(up, found(`this.${six}`.slice(0, -1), and(mine, eq("id", field(`this.${six}id`)))))), [7]],
  not_deep: [not(found(down, found(down, found(down)))), [6, 7, 8]],
};

describe("names of 63 bytes, six relations and three EXISTS deep", async () => {
  const rules: Rules = Object.fromEntries(
    Object.entries(cases).map(([role, [condition]]) => [role, condition]),
  );
  const world = await startWorld({
    models: [mounted(nodes, sameRules(rules))],
    sql: `insert into "${table}" (id, "${parentId}", "${owner}") select n, nullif(n - 1, 0), case n when 1 then 1 when 8 then 2 end from generate_series(1, 8) as n;`,
  });

  it.each(Object.entries(cases))("%s", async (role, [, ids]) => {
    const send = async (method: string, path: string, body?: object) => {
      const request = call(`${method} ${path}`, body, token(role));
      const reply = await world.send(request);
      expectEnvelope(reply, request);
      return reply;
    };
    const read = await send("GET", "/nodes/fetch?select_fields=id");
    expect(read.json.data.map(({ id }) => id)).toEqual(ids);
    const query = `{ ${table} { id ${up} { id } ${down} { id } } }`;
    const { text } = await world.send(call("POST /graphql", { query }, token(role)));
    expect(
      JSON.parse(text).data?.[table]?.map(({ id }: { id: unknown }) => Number(id)),
      text,
    ).toEqual(ids);
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const allowed = ids.includes(id) ? 200 : 403;
      const update = { where: { id }, data: { [owner]: id === 1 ? 1 : id === 8 ? 2 : null } };
      expect([id, (await send("PUT", "/nodes/update", update)).status]).toEqual([id, allowed]);
      const bulk = { data: [{ id, ...update.data }] };
      expect([id, (await send("PUT", "/nodes/update", bulk)).status]).toEqual([
        id,
        allowed === 200 ? 200 : 400,
      ]);
    }
  });
});
