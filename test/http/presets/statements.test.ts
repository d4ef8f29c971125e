import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { bodyOf } from "../../support/graphql.ts";
import type { Caller } from "../../support/service-token.ts";
import { countedService } from "../../support/watched-database.ts";

const service = await countedService();
const { sent } = service;

const users = [{ id: 1, points: 7 }];
const ann = { role: "user", sub: "1" };

/** How many statements and transactions a write takes. */
async function cost(method: string, path: string, body: Json, as: Caller = ann): Promise<[number, number]> {
  await service.store({ users });
  sent.statements.length = 0;
  sent.transactions = 0;
  const { status } = await service.send({ method, path, body }, as);
  expect(status).toBe(as === null ? 403 : 200);
  return [sent.statements.length, sent.transactions];
}

const records = (count: number) => Array.from({ length: count }, () => ({ title: "a" }));

test("the caller's row is one statement more, in the transaction of the write", async () => {
  expect(await cost("POST", "/stamped/create", { data: { title: "a" } })).toEqual([2, 1]);
  expect(await cost("PUT", "/stamped/upsert", { data: { title: "a", slot: 1 } })).toEqual([2, 1]);
});

test.each([1, 2, 4])("however many records it writes: %i", async (count) => {
  expect(await cost("POST", "/stamped/create", { data: records(count) })).toEqual([2, 1]);
});

test("a guest has no row to read", async () => {
  expect(await cost("POST", "/stamped/create", { data: { title: "a" } }, null)).toEqual([0, 1]);
});

test("over GraphQL it is one for each root field, before its write and what is selected", async () => {
  const body = bodyOf(
    'mutation { a: createStamped(input: {title: "a"}) { id } b: createStamped(input: {title: "b"}) { id } }',
    {},
  );
  expect(await cost("POST", "/graphql", body)).toEqual([6, 1]);
});

test("a model without presets of the caller's row takes one statement and no transaction", async () => {
  expect(await cost("POST", "/tasks/create", { data: { title: "a", user: 1 } })).toEqual([1, 0]);
});
