import bcrypt from "bcrypt";
import { expect, test, vi } from "vitest";
import type { Database } from "#runtime/database/index";
import { dataOf } from "../support/graphql.ts";
import { testService } from "../support/service.ts";

/** What happened, in order. */
const steps: string[] = [];
const watch = (database: Database): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction((transaction) => {
      steps.push("transaction");
      return work(transaction);
    }),
});
const service = await testService({}, { watch });

// A hash takes a quarter of a second: twenty of them in a transaction keep a connection from everybody else.
test.each([
  ["create", 'createPeople(input: { name: "n", secret: "s3cret" })'],
  ["update", 'updatePeople(where: { name: "old" }, input: { secret: "s3cret" })'],
])("passwords are hashed before the transaction begins: %s", async (_, mutation) => {
  await service.store({ people: [{ id: 1, name: "old" }] });
  steps.length = 0;
  const hash = vi.spyOn(bcrypt, "hash").mockImplementation(async () => {
    steps.push("hash");
    return `hash ${steps.length}`;
  });
  await dataOf(
    service,
    `mutation { a: ${mutation} { name } b: createPeople(input: { name: "m", secret: "x" }) { id } }`,
    "staff",
  );
  hash.mockRestore();
  expect(steps).toEqual(["hash", "hash", "transaction"]);
  const stored = await service.query("select secret from people where secret is not null order by secret");
  expect(stored).toEqual([{ secret: "hash 1" }, { secret: "hash 2" }]);
});

test("a password in the default of a variable is hashed for each request", async () => {
  await service.store({});
  const query =
    'mutation ($v: PeopleCreate = { name: "n", secret: "s3cret" }) { createPeople(input: $v) { name } }';
  await dataOf(service, query, "staff");
  await dataOf(service, query, "staff");
  const [first, second] = await service.query("select secret from people");
  expect(first?.["secret"]).toMatch(/^\$2b\$/);
  expect(second?.["secret"]).not.toBe(first?.["secret"]);
});
