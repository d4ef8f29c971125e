import { describe, expect, test } from "vitest";
import { dataOf, sendGraphql, type Variables } from "../support/graphql.ts";
import { outcome } from "../support/scenarios.ts";
import { graphqlWorld } from "./support/graphql-world.ts";

const { service, ask } = await graphqlWorld();

const payloads = [
  "'; drop table folders; --",
  '"; drop table folders; --',
  "' or '1'='1",
  "1 or 1=1",
  '") from folders; delete from folders; --',
  'id" desc, (select combination from vaults limit 1) --',
  "(select combination from vaults limit 1)",
  "$1",
  "$$; select pg_sleep(9); $$",
  "??",
  "\\'; drop table folders; --",
  "title::text",
  "t0.id",
  "\u2019 or 1=1 --",
  "a\u0000b",
  "\ud800",
  "{1,2}",
  "x".repeat(5000),
  "__proto__",
  "constructor",
];

describe("SQL in every place that takes text", () => {
  /** The status; messages may hold what was sent, and nothing else of the kind. */
  async function told(query: string, variables?: Variables): Promise<number> {
    const { status, text } = await sendGraphql(service, query, "admin", variables);
    expect(status, `${text} for ${query}`).toBeLessThan(500);
    expect(text).not.toMatch(/"123"|syntax error|relation|violates/);
    return status;
  }

  test.each(payloads)("%s", async (payload) => {
    const text = JSON.stringify(payload);
    const queries = [
      `{ folders(name: ${text}) { id } }`,
      `{ folders(name: { like: ${text} }) { id } }`,
      `{ folders(name: { in: [${text}, "root"] }) { name } }`,
      `{ folders(search: ${text}) { id } }`,
      `{ folders(orderBy: ${text}) { id } }`,
      `{ folders(id: ${text}) { id } }`,
      `{ folders(limit: ${text}) { id } }`,
      `{ folders { children(name: ${text}, orderBy: ${text}) { id } } }`,
      `{ folders_aggregate(groupBy: ${text}) { count } }`,
      `{ folders_aggregate(groupBy: [name, ${text}], orderBy: ${text}) { count } }`,
      `{ folders_aggregate(orderBy: "-sum_${payload.replaceAll(/[^\w ]/g, "")}") { count } }`,
      `{ books(printed_at: ${text}) { id } }`,
      `{ books(code: { nin: [${text}] }) { id } }`,
      `mutation { updateFolders(where: { name: ${text} }, input: { size: 1 }) { id } }`,
      `mutation { destroyFolders(ids: [${text}]) { id } }`,
    ];
    for (const query of queries) await told(query);
    const bound: readonly (readonly [kind: string, use: string])[] = [
      ...["name: $v", "search: $v", "orderBy: $v", "id: $v", "name: { in: [$v] }"].map(
        (use) => ["String", use] as const,
      ),
      ["StringFilter", "name: $v"],
      ["FoldersOrderBy", "orderBy: $v"],
    ];
    for (const [kind, use] of bound)
      await told(`query ($v: ${kind}) { folders(${use}) { id } }`, { v: payload });
    await told("query ($v: [FoldersOrderBy!]) { folders_aggregate(groupBy: $v) { count } }", { v: payload });
    for (const key of [payload, `name${payload}`]) {
      await told("query ($v: StringFilter) { folders(name: $v) { id } }", { v: { [key]: "x" } });
      expect(
        await told("mutation ($v: FoldersWhere) { destroyFolders(where: $v) { id } }", { v: { [key]: "x" } }),
      ).toBe(400);
      const input = { name: "n", [key]: 1 };
      expect(
        await told("mutation ($v: FoldersCreate!) { createFolders(input: $v) { id } }", { v: input }),
      ).toBe(400);
    }
    const [left] = await service.query(
      "SELECT count(*)::int AS folders, (SELECT count(*)::int FROM vaults) AS vaults FROM folders",
    );
    expect(left).toEqual({ folders: 7, vaults: 2 });
  });

  test("a text that is stored is stored as it is", async () => {
    for (const payload of payloads.filter(
      (text) => text.length < 200 && text.isWellFormed() && !text.includes("\u0000"),
    )) {
      const data = await dataOf(
        service,
        "mutation ($i: FoldersCreate!) { createFolders(input: $i) { name } }",
        "admin",
        { i: { name: payload } },
      );
      expect(data).toEqual({ createFolders: { name: payload } });
    }
  });
});

describe("names", () => {
  const long = (length: number): string => "a".repeat(length);

  test("a key as long as PostgreSQL takes, and no longer", async () => {
    const fits = `{ ${long(63)}: folders(id: 1) { ${long(63)}: name } }`;
    expect(await dataOf(service, fits)).toEqual({ [long(63)]: [{ [long(63)]: "root" }] });
    for (const query of [
      `{ folders(id: 1) { ${long(64)}: name } }`,
      `{ folders(id: 1) { ${long(63)}b: id ${long(63)}c: name } }`,
      `{ folders(id: 1) { ${long(3000)}: name } }`,
      `{ folders(id: 1) { ${long(64)}: children { id } } }`,
    ])
      expect(outcome(await ask(query))).toMatch("400 VALIDATION_ERROR");
  });

  test("a root key is never a name of the database", async () => {
    expect(await dataOf(service, `{ ${long(200)}: folders(id: 1) { id } }`)).toEqual({
      [long(200)]: [{ id: 1 }],
    });
  });

  test("keys that differ in case alone are two", async () => {
    expect(await dataOf(service, "{ folders(id: 1) { a: id A: name } A: folders(id: 9) { id } }")).toEqual({
      folders: [{ a: 1, A: "root" }],
      A: [{ id: 9 }],
    });
  });

  test("keys that statements use themselves", async () => {
    for (const key of [
      "t0",
      "t1",
      "j1",
      "j",
      "r",
      "row",
      "select",
      "order",
      "id",
      "folders",
      "json_agg",
      "text",
      "value",
      "ctid",
      "oid",
      "xmin",
      "tableoid",
    ]) {
      const query = `{ ${key}: folders(id: 1) { ${key}: name x: children(limit: 1) { ${key}: id } ${key}_: parent { id } } }`;
      expect(await dataOf(service, query)).toEqual({
        [key]: [{ [key]: "root", x: [{ [key]: 2 }], [`${key}_`]: null }],
      });
      expect(await dataOf(service, `{ folders(id: 2) { ${key}: parent { ${key}: name } } }`)).toEqual({
        folders: [{ [key]: { [key]: "root" } }],
      });
    }
  });

  test("columns of the system are no fields", async () => {
    for (const name of ["ctid", "xmin", "tableoid", "oid", "t0", "j1", "search_path"])
      for (const query of [
        `{ folders { ${name} } }`,
        `{ folders(${name}: 1) { id } }`,
        `{ folders(orderBy: "${name}") { id } }`,
        `{ folders_aggregate(groupBy: ${name}) { count } }`,
        `{ folders_aggregate { max { ${name} } } }`,
      ])
        expect(outcome(await ask(query)), query).toMatch("400 VALIDATION_ERROR");
  });

  test("names of Object.prototype are no names of ours", async () => {
    for (const name of [
      "__proto__",
      "constructor",
      "toString",
      "hasOwnProperty",
      "valueOf",
      "__defineGetter__",
    ])
      for (const query of [
        `{ folders { ${name} } }`,
        `{ folders(${name}: 1) { id } }`,
        `{ folders(size: { ${name}: 1 }) { id } }`,
        `{ folders(orderBy: ${name}) { id } }`,
        `{ folders { ${name} { id } } }`,
        `{ folders_aggregate { ${name} { size } } }`,
        `{ folders_aggregate { max { ${name} } } }`,
        `{ folders_aggregate { max_${name} } }`,
        `{ folders_aggregate(groupBy: [${name}]) { count } }`,
        `mutation { updateFolders(where: { ${name}: 1 }, input: { size: 1 }) { id } }`,
        `mutation { createFolders(input: { name: "x", ${name}: 1 }) { id } }`,
        `{ folders { ...${name} } }`,
      ])
        expect(outcome(await ask(query, "admin")), query).toMatch("400 VALIDATION_ERROR");
    const polluted =
      '{"query":"query ($v: IntFilter) { folders(size: $v) { id } }","variables":{"v":{"__proto__":{"eq":5}}}}';
    const reply = await service.send({
      method: "POST",
      path: "/graphql",
      headers: { "content-type": "application/json" },
      body: polluted,
    });
    expect(outcome(reply)).toMatch("400 VALIDATION_ERROR");
    expect(Object.hasOwn(Object.prototype, "eq")).toBe(false);
    const named =
      '{"query":"query ($__proto__: Int) { folders(size: $__proto__) { id } }","variables":{"__proto__":5}}';
    const own = await service.send({
      method: "POST",
      path: "/graphql",
      headers: { "content-type": "application/json" },
      body: named,
    });
    expect(own.envelope.data).toEqual({ folders: [{ id: 1 }] });
  });
});
