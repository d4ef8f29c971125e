import { expect, it } from "vitest";
import { prepareQueue, queueProblem } from "#runtime/jobs/index";
import { migrate, migrateDown, migrationStatus, verifyDatabase } from "#runtime/migrations/index";
import { silent as log } from "../../support/silent-log.ts";
import { base, second, shelf } from "../migrations/shelf.ts";

const note = { name: "note", type: "text", nullable: true } as const;
const noted = second(
  [{ step: "add_column", table: "books", column: note }],
  [{ step: "drop_column", table: "books", column: "note" }],
);

it("the queue's tables are no drift, and ways up and down leave them and their jobs alone", async () => {
  const { url, query } = await shelf();
  const alongside = (at: string) => prepareQueue(at, log, { names: ["remind"] });
  const options = { url, migrations: [base, noted], log, alongside };
  expect(await queueProblem(url, log)).toMatch(/no tables yet: run npm run migrate$/);
  expect(await migrate({ ...options, to: "0001_base" })).toEqual([]);
  expect(await queueProblem(url, log)).toBeNull();
  await query("select kirak_jobs.add_job('remind', run_at := '2999-01-01')");
  const jobs = () => query("select id, task_id, run_at, attempts from kirak_jobs._private_jobs");
  const before = await jobs();
  await Promise.all([migrate(options), migrate(options)]);
  expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
  expect((await migrationStatus(options)).map(({ name, state }) => [name, state])).toEqual([
    ["0001_base", "applied"],
    ["0002_second", "applied"],
  ]);
  expect(await migrateDown({ ...options, acceptDataLoss: true })).toEqual(["0002_second"]);
  expect([before.length, await jobs(), await queueProblem(url, log)]).toEqual([1, before, null]);
});
