import { expect, test } from "vitest";
import { migrate, migrationStatus, pendingMigrations } from "../../../runtime/migrations/index.ts";
import { explain } from "../../../runtime/process/failure.ts";
import { silent } from "../../support/silent-log.ts";
import { silentServer } from "../../support/silent-server.ts";

test.each([
  ["migrate", migrate],
  ["pendingMigrations", pendingMigrations],
  ["migrationStatus", migrationStatus],
])("%s gives up on a server that takes the connection and says nothing", async (_, call) => {
  const { url } = await silentServer();
  const options = { url, migrations: [], timing: { connectTimeoutMs: 100 }, log: silent };
  const error = await call(options).catch((thrown: unknown) => thrown);
  expect(explain(error)).toBe("the database cannot be reached (SERVICE_DATABASE_URL): no answer in time");
});

test("what is no sentence of ours is masked", () => {
  expect(explain(new Error("row of ann@example.org"))).not.toContain("ann@");
});
