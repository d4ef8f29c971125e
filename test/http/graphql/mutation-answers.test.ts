import { describe, expect } from "vitest";
import { type GraphqlScenario, graphqlScenarios } from "../../support/graphql.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const gone = "2020-01-01T00:00:00+00:00";
// biome-ignore format: one row a line
const given = {
  memos: [
    { id: 1, code: "a", state: "open" },
    { id: 2, code: "b", state: "secret", parent_id: 1 },
    { id: 3, code: "c", state: "open", parent_id: 1 },
    { id: 4, code: "d", state: "open", deleted_at: gone },
    { id: 5, code: "e", state: "secret", deleted_at: gone },
  ],
};
const run = (
  body: string,
  data: GraphqlScenario["data"],
  more: Partial<GraphqlScenario> = {},
): GraphqlScenario => ({
  given,
  as: "reader",
  query: `mutation { ${body} }`,
  data,
  ...more,
});
const hidden = (id: unknown) => ({ id, code: null });
const all = "where: { id: { in: [1, 2, 3] } }";

describe("a mutation answers only rows that the caller can fetch, before and after", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run(`updateMemos(input: { parent_id: null }, ${all}) { id code }`,
      { updateMemos: [{ id: 1, code: "a" }, hidden(2), { id: 3, code: "c" }] }),
    run(`updateMemos(input: { state: "open" }, ${all}) { id code }`,
      { updateMemos: [{ id: 1, code: "a" }, hidden(2), { id: 3, code: "c" }] }, { name: "not before" }),
    run(`updateMemos(input: { state: "secret" }, ${all}) { id code state }`,
      { updateMemos: [1, 2, 3].map((id) => ({ ...hidden(id), state: null })) }, { name: "not after" }),
    run("updateMemos(input: { parent_id: 3 }, where: { id: 2 }) { __typename key: id parent { code } replies { code } created_at }",
      { updateMemos: [{ __typename: "memos", key: 2, parent: null, replies: null, created_at: null }] }, { name: "joins too" }),
    run("updateMemos(input: { parent_id: 3 }, where: { id: 1 }) { parent { code } replies { code } }",
      { updateMemos: [{ parent: { code: "c" }, replies: [{ code: "c" }] }] }, { name: "and joined rows by their own rules" }),
    run("updateMemos(input: { state: \"x\" }, where: { id: 2 }) { code }", { updateMemos: [{ code: null }] }, { name: "without the id" }),
    run(`updateMemos(input: { parent_id: null }, ${all}) { id code }`,
      { updateMemos: [hidden(1), hidden(2), hidden(3)] }, { name: "no rule to fetch", as: "writer" }),
    run(`updateMemos(input: { parent_id: null }, ${all}) { id code }`,
      { updateMemos: [{ id: 1, code: "a" }, { id: 2, code: "b" }, { id: 3, code: "c" }] }, { name: "all rows", as: "admin" }),
    run("deleteMemos(ids: [1, 2]) { id code }", { deleteMemos: [{ id: 1, code: "a" }, hidden(2)] }),
    run("destroyMemos(ids: [2, 3, 4]) { id code parent { code } }",
      { destroyMemos: [{ ...hidden(2), parent: null }, { id: 3, code: "c", parent: { code: "a" } }, { id: 4, code: "d", parent: null }] }),
    run("destroyMemos(ids: [2, 3]) { id code }", { destroyMemos: [hidden(2), hidden(3)] }, { name: "removed rows without a rule to fetch", as: "writer" }),
    run("restoreMemos(input: { deleted_at: null }, where: { id: { in: [4, 5] } }) { id code }", { restoreMemos: [{ id: 4, code: "d" }, hidden(5)] }),
    run('restoreMemos(input: { state: "open" }, where: { id: 5 }) { id code }', { restoreMemos: [hidden(5)] }),
    run('upsertMemos(input: { code: "a", parent_id: 3 }) { id state }', { upsertMemos: { id: 1, state: "open" } }),
    run('upsertMemos(input: { code: "b", state: "open" }) { id state }', { upsertMemos: { id: 2, state: null } }),
    run('upsertMemos(input: { id: 2, state: "open" }) { id code }', { upsertMemos: hidden(2) }),
    run('upsertMemos(input: { code: "n", state: "open" }) { code }', { upsertMemos: { code: "n" } }, { name: "a new row" }),
    run('upsertMemos(input: { code: "n", state: "x" }) { id code }', { upsertMemos: hidden(expect.any(Number)) }, { name: "a new row out of reach" }),
    run('createMemos(input: { code: "n", state: "x" }) { code state }', { createMemos: { code: "n", state: "x" } },
      { name: "a created row is the caller's own input" }),
    run("updateMemos(input: { parent_id: null }, where: { id: 1 }) { ...on MemosWritten { id } ...on memos { code } }",
      { updateMemos: [{ id: 1, code: "a" }] }, { name: "fragments on the type and on the interface" }),
    run('one: updateMemos(input: { state: "open" }, where: { id: 2 }) { code } two: updateMemos(input: { parent_id: null }, where: { id: 2 }) { code }',
      { one: [{ code: null }], two: [{ code: "b" }] }, { name: "each mutation of a document begins where the one before ended" }),
  ]);
});
