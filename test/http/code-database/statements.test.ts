import { expect, test } from "vitest";
import type { MutationContext } from "#runtime/hooks/index";
import { inMutation } from "../../support/code-in-hooks.ts";
import { countedService } from "../../support/watched-database.ts";

const service = await countedService();
const { sent } = service;

const tasks = Array.from({ length: 9 }, (_item, at) => ({ id: at + 1, title: `t${at}`, user: at }));
const records = (count: number) => Array.from({ length: count }, (_item, at) => ({ title: `new${at}` }));

/** What the table in docs/hooks.md promises. */
test.each<
  readonly [called: string, call: (context: MutationContext) => Promise<unknown>, statements: number]
>([
  ["fetch", ({ db }) => db.tasks.fetch(), 1],
  ["search", ({ db }) => db.tasks.search({ search_term: "t" }), 1],
  ["count", ({ db }) => db.tasks.count(), 1],
  ["exists", ({ db }) => db.tasks.exists(), 1],
  ["get", ({ db }) => db.tasks.get(1), 1],
  ["create", ({ db }) => db.tasks.create({ title: "new" }), 1],
  ["create of two", ({ db }) => db.tasks.create(records(2)), 2],
  ["create of many", ({ db }) => db.tasks.create(records(50)), 2],
  ["create of none", ({ db }) => db.tasks.create([]), 0],
  ["upsert", ({ db }) => db.tasks.upsert({ title: "t1" }), 2],
  ["update of one", ({ db }) => db.tasks.update({ where: { id: 1 }, data: { user: 1 } }), 2],
  ["update of many", ({ db }) => db.tasks.update({ where: { user__gte: 0 }, data: { user: 1 } }), 2],
  ["delete", ({ db }) => db.tasks.delete({ ids: [1, 2, 3] }), 1],
  ["destroy", ({ db }) => db.tasks.destroy({ where: { user__gte: 0 } }), 1],
  ["sql", ({ sql }) => sql`select 1`, 1],
  ["kysely", ({ kysely }) => kysely.selectFrom("tasks").select("id").execute(), 1],
])("%s", async (_called, call, statements) => {
  await service.store({ tasks });
  let asked: string[] = [];
  await inMutation(service, async (context) => {
    const before = sent.statements.length;
    await call(context);
    asked = sent.statements.slice(before);
  });
  expect(asked).toHaveLength(statements);
});
