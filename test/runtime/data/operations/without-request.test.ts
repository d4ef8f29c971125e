import { afterAll, expect, test } from "vitest";
import { AfterResponse, BackgroundTasks, noTrace } from "#runtime/core/concurrency/index";
import { createDatabase } from "#runtime/core/database/index";
import { type Problem, refuseProblems } from "#runtime/core/errors/index";
import {
  crud,
  guard,
  mutationScope,
  operationContext,
  readFilters,
  readListInput,
} from "#runtime/data/operations/index";
import { PlanCache } from "#runtime/data/sql/index";
import { absentModules } from "#runtime/hooks/context/index";
import { requireFields } from "#runtime/models/access/index";
import { service } from "../../../http/fixture/generated/index.ts";
import { routes as notes } from "../../../http/fixture/generated/models/notes/routes.ts";
import { serviceDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";

const { url } = await serviceDatabase(service);
const database = createDatabase({ url, maxConnections: 2, log: silent });
afterAll(() => database.close());

// biome-ignore format: many a line
const services = {
  database, models: new Map(service.models.map(({ model }) => [model.key, model])), plans: new PlanCache(),
  log: silent, cursorKeys: [Buffer.alloc(32)] as const, bulkLimit: 100, hashPassword: async (password: string) => password, modules: absentModules,
};
const { model, policy } = notes;

/** The call of an operation by a user with a role. */
function callAs(role: string) {
  const principal = { user_id: "7", role, email: null };
  return operationContext(services, notes, {
    principal,
    ensureNotRevoked: null,
    requestId: "job-1",
    address: "here",
    trace: noTrace,
    later: new AfterResponse(new BackgroundTasks(silent)),
  });
}

/** The request of a fetch of notes: the steps of the public exports' example. */
function readBodies(role: string, body: string) {
  const call = callAs(role);
  const grant = guard(policy.fetch).authorize(call.principal);
  const problems: Problem[] = [];
  const filters = readFilters(model, [["body", body]], problems);
  const input = readListInput(model, filters, new Map([["limit", 5]]), problems);
  requireFields(call.view, input);
  refuseProblems(problems);
  return crud.fetch.run(call, grant, input);
}

test("an operation runs for a principal, by its rules, and without a request", async () => {
  const grant = guard(policy.create).authorize(callAs("admin").principal);
  await crud.create.run(callAs("admin"), grant, { data: { body: "one" } });
  const { data } = await readBodies("user", "one");
  expect(JSON.parse(data)).toMatchObject([{ body: "one" }]);
  expect(() => guard(policy.create).authorize(callAs("user").principal)).toThrow(
    "Your role may not do this.",
  );
});

test("code that no access rule holds for gives a grant of its own", async () => {
  const grant = { operation: "create", scope: { kind: "all" }, insert: { kind: "all" } } as const;
  await crud.create.run(callAs("user"), grant, { data: { body: "two" } });
  expect(JSON.parse((await readBodies("user", "two")).data)).toHaveLength(1);
});

test("several share a transaction, which undoes them together", async () => {
  const call = callAs("admin");
  const grant = guard(policy.create).authorize(callAs("admin").principal);
  const both = database.transaction(async (transaction) => {
    const scope = mutationScope(call, transaction);
    await crud.create.execute(call, grant, scope, { data: { body: "three" } });
    await crud.create.execute(call, grant, scope, { data: { nothing: "of this name" } });
  });
  await expect(both).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(JSON.parse((await readBodies("user", "three")).data)).toEqual([]);
});
