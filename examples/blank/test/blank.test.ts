import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { exampleApp, expectUpToDate } from "../../../test/support/example-apps.ts";
import type { Caller } from "../../../test/support/service-token.ts";
import { service } from "../generated/index.ts";

const { ask, store } = await exampleApp(service, { root: join(import.meta.dirname, "..") });
const ann = { role: "user", sub: "1" };
const ben = { role: "user", sub: "2" };

beforeEach(() =>
  store({
    users: [{ id: 1 }, { id: 2 }],
    notebooks: [
      { id: 1, title: "Hers", owner_id: 1 },
      { id: 2, title: "For all", owner_id: 1, public: true },
    ],
    notes: [
      { id: 1, notebook_id: 1, title: "One" },
      { id: 2, notebook_id: 2, title: "Two" },
    ],
  }),
);

test("what is generated is what the models say", () => expectUpToDate("blank"));

describe.each<[string, Caller, unknown, unknown]>([
  ["the owner", ann, [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
  ["somebody else", ben, [{ id: 2 }], [{ id: 2 }]],
  ["a guest", null, [{ id: 2 }], [{ id: 2 }]],
])("%s reads", (_, caller, notebooks, notes) => {
  test("these notebooks and notes, over GraphQL too", async () => {
    const inOrder = "?select_fields=id&order_by=id";
    expect(await ask(caller, `GET /notebooks/fetch${inOrder}`)).toEqual(notebooks);
    expect(await ask(caller, `GET /notes/fetch${inOrder}`)).toEqual(notes);
    expect(await ask(caller, "{ notebooks { id } notes { id } }")).toEqual({ notebooks, notes });
  });
});

const change = (id: number, data: object) => ({ where: { id }, data: { ...data } });

// biome-ignore format: one case a line
test.each<[string, Caller, string, Json, unknown]>([
  ["a notebook is whose token made it", ben, "POST /notebooks/create", { data: { title: "His" } }, { owner_id: 2 }],
  ["not whose it says", ben, "POST /notebooks/create", { data: { title: "His", owner_id: 1 } }, /^40[03]/],
  ["a guest makes none", null, "POST /notebooks/create", { data: { title: "Mine" } }, /^403/],
  ["its owner opens it", ann, "PUT /notebooks/update", change(1, { public: true }), { updated_count: 1 }],
  ["nobody else does", ben, "PUT /notebooks/update", change(1, { public: true }), /^403/],
  ["nor takes it", ben, "PUT /notebooks/update", change(2, { title: "Mine" }), /^403/],
  ["its owner writes in it", ann, "POST /notes/create", { data: { notebook_id: 1, title: "New" } }, { title: "New" }],
  ["nobody else does so", ben, "POST /notes/create", { data: { notebook_id: 2, title: "New" } }, /^403/],
  ["nor changes a note", ben, "PUT /notes/update", change(2, { title: "Mine" }), /^403/],
  ["nor deletes", ben, "DELETE /notebooks/delete", { ids: [2] }, /^403/],
])("%s", async (_, caller, request, body, expected) => {
  const answer = await ask(caller, request, body);
  if (expected instanceof RegExp) expect(answer).toMatch(expected);
  else expect(answer).toMatchObject(Object(expected));
});
