import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { migrate, migrationStatus, pendingMigrations } from "#runtime/migrations/index";
import { explain } from "#runtime/process/failure";
import { silentServer } from "../../support/free-port.ts";
import { silent } from "../../support/silent-log.ts";

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

test.each(["no-such-host.invalid", "/no/such/socket"])("%s cannot be reached", async (place) => {
  const error = await new Promise((resolve) => {
    connect(place.startsWith("/") ? { path: place } : { host: place, port: 5432 }).on("error", resolve);
  });
  expect(explain(error)).toMatch(
    /^the database cannot be reached \(SERVICE_DATABASE_URL\): (?:getaddrinfo|connect) E/,
  );
});

test("a file that is missing is no matter of the database", () => {
  const read = () => readFileSync("/no/such/template.hbs");
  expect(explain(thrownBy(read))).toMatch(/^Error: ENOENT: no such file or directory, open '\/no\/such/);
});

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}
