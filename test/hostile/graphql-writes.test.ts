import { describe, expect, test } from "vitest";
import { dataOf } from "../support/graphql.ts";
import { outcome } from "../support/scenarios.ts";
import { graphqlWorld } from "./support/graphql-world.ts";

const { service, ask } = await graphqlWorld();

describe("requests that meet", () => {
  const create = 'mutation { createFolders(input: { name: "same" }) { id } }';

  test("of creates with the same unique name one succeeds", async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(create, "admin")));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect(await service.query("SELECT count(*)::int AS n FROM folders WHERE name = 'same'")).toEqual([
      { n: 1 },
    ]);
  });

  test("of upserts all succeed, and there is one row", async () => {
    const upsert = 'mutation ($n: Int) { upsertFolders(input: { name: "same", size: $n }) { id } }';
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(upsert, "admin", { n })));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  test("mutations that lock rows in opposite orders both succeed", async () => {
    const update = (id: number, size: string) =>
      `a${id}: updateFolders(where: { id: ${id} }, input: { size: ${size} }) { id }`;
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([
        ask(`mutation { ${update(1, "1")} ${update(9, "1")} }`, "admin"),
        ask(`mutation { ${update(9, "2")} ${update(1, "2")} }`, "admin"),
        ask(`mutation { ${update(1, "3")} ${update(9, "3")} }`, "admin"),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [{ sizes } = {}] = await service.query(
        "SELECT array_agg(DISTINCT size) AS sizes FROM folders WHERE id IN (1, 9)",
      );
      expect(sizes).toHaveLength(1);
    }
  });

  test("nobody sees half of a mutation", async () => {
    const mutation =
      'mutation { a: updateFolders(where: { id: 1 }, input: { size: 100 }) { id } b: updateFolders(where: { id: 9 }, input: { size: 100 }) { id } c: createFolders(input: { name: "root" }) { id } }';
    const [failed, ...reads] = await Promise.all([
      ask(mutation, "admin"),
      ...Array.from({ length: 10 }, () => dataOf(service, "{ folders(id: { in: [1, 9] }) { size } }")),
    ]);
    expect(outcome(failed)).toMatch("400 VALIDATION_ERROR");
    for (const read of reads) expect(read).toEqual({ folders: [{ size: 5 }, { size: null }] });
    expect(await dataOf(service, "{ folders(size: 100) { id } }")).toEqual({ folders: [] });
  });
});

describe("writes that reach too far", () => {
  test.each([
    "mutation { destroyFolders(where: {}) { id } }",
    "mutation { destroyFolders { id } }",
    "mutation { destroyFolders(where: null) { id } }",
    "mutation { destroyFolders(ids: null) { id } }",
    "mutation { destroyFolders(ids: []) { id } }",
    "mutation { destroyFolders(where: { id: {} }) { id } }",
    "mutation { destroyFolders(where: { id: { nin: [] } }) { id } }",
    "mutation { destroyFolders(where: { deleted_at: null }) { id } }",
    "mutation { destroyFolders(where: { deleted_at: { is_null: true } }) { id } }",
    "mutation { updateFolders(where: {}, input: { size: 1 }) { id } }",
    "mutation { updateFolders(input: { size: 1 }) { id } }",
    "mutation { updateFolders(where: { name: {} }, input: { size: 1 }) { id } }",
    "mutation ($w: FoldersWhere) { destroyFolders(where: $w) { id } }",
    "mutation ($w: FoldersWhere = {}) { destroyFolders(where: $w) { id } }",
    "mutation ($v: Int) { destroyFolders(where: { id: $v }) { id } }",
    "mutation ($v: IntFilter) { updateFolders(where: { size: $v }, input: { size: 1 }) { id } }",
    "mutation ($v: Int) { destroyFolders(where: { size: { gt: $v } }) { id } }",
    "mutation ($v: [Int]) { destroyFolders(where: { size: { nin: $v } }) { id } }",
    "mutation { destroyFolders(where: { id: 1 }, ids: [1]) { id } }",
    "mutation { destroyFolders(id: 1) { id } }",
    "mutation { destroyFolders(where: [{ id: 1 }]) { id } }",
    'mutation { destroyFolders(where: "id = 1") { id } }',
    "mutation { destroyFolders(query: { id: 1 }) { id } }",
    'mutation { destroyFolders(where: { name__like: "r" }) { id } }',
    "mutation { destroyFolders(where: { OR: [{ id: 1 }] }) { id } }",
    'mutation { createFolders(input: { name: "x", id: 5 }) { id } }',
    'mutation { createFolders(input: { name: "x", created_at: "2020-01-01" }) { id } }',
    'mutation { createFolders(input: { name: "x", parent: { name: "y" } }) { id } }',
    'mutation { createFolders(input: { name: "x", children: [] }) { id } }',
    'mutation { createFolders(input: [{ name: "x" }, { name: "y" }]) { id } }',
    'mutation { createFolders(data: { name: "x" }) { id } }',
    'mutation { createFolders(input: { name: "x" }, extra: 1) { id } }',
    "mutation { createFolders { id } }",
  ])("%s", async (query) => {
    const reply = await ask(query, "admin");
    expect(outcome(reply), reply.text).toMatch("400 VALIDATION_ERROR");
    expect(
      await service.query(
        "SELECT count(*)::int AS n, count(*) FILTER (WHERE updated_at <> created_at)::int AS written FROM folders",
      ),
    ).toEqual([{ n: 7, written: 0 }]);
  });
});
