import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, password } from "../support/accounts.ts";
import { dataOf } from "../support/graphql.ts";
import { hasPgBouncer, pgBouncerTo } from "../support/pgbouncer.ts";
import { requestOf } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

describe.skipIf(!hasPgBouncer)("a service behind PgBouncer in transaction mode", async () => {
  if (!hasPgBouncer) return;
  const service = await testService(
    {},
    { reach: async (url) => (await pgBouncerTo(url)).url, connecting: { namedStatements: false } },
  );

  beforeEach(() => service.store(accounts([account(1)])));

  test("answers requests that come together, each over whichever server process is free", async () => {
    const create = (at: number) =>
      service.send(requestOf("POST /notes/create", { data: { body: `note ${at}` } }), "admin");
    const replies = await Promise.all(Array.from({ length: 30 }, (_, at) => create(at)));
    expect(new Set(replies.map(outcome))).toEqual(new Set(["200"]));
    const count = await service.send({ method: "GET", path: "/notes/count" }, "admin");
    expect(count.envelope.data).toEqual({ count: 30 });
  });

  test("writes several records in one transaction, of which only one fails", async () => {
    const records = [{ body: "a", code: "same" }, { body: "b", code: "same" }, { body: "c" }];
    const reply = await service.send(requestOf("POST /notes/create", { data: records }), "admin");
    expect(reply.envelope.data).toMatchObject({ inserted_count: 2, failed_count: 1 });
  });

  test("runs the mutations of a document in one transaction", async () => {
    const both =
      'mutation { a: createNotes(input: { body: "a" }) { body } b: createNotes(input: { body: "b" }) { body } }';
    expect(await dataOf(service, both, "admin")).toEqual({ a: { body: "a" }, b: { body: "b" } });
  });

  test("lets people in, once with each refresh token", async () => {
    const body = { email: "user1@example.com", password };
    const login = await service.send({ method: "POST", path: "/auth/login", body });
    expect(outcome(login)).toBe("200");
    const { refreshToken } = login.envelope.data as { refreshToken: string };
    const refresh = () =>
      service.send({ method: "POST", path: "/auth/refresh-token", body: { refreshToken } });
    const outcomes = (await Promise.all([refresh(), refresh(), refresh()])).map(outcome).sort();
    expect(outcomes).toEqual(["200", "401 INVALID_TOKEN", "401 INVALID_TOKEN"]);
  });
});
