import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { pagila } from "../cli/introspect/pagila.ts";
import { testDatabase } from "../support/database.ts";
import { linkedApp } from "./support/installed.ts";

const database = await testDatabase();
await database.query(`SET TimeZone = 'UTC'; ${pagila}`);
const root = join(inject("runFolder"), "a shop", "rentals");
// It would install packages; test/cli/init tests that part.
const made = await linkedApp(root, "--from-database", database.url, "--no-install");
const app = made.with({ SERVICE_TEST_DATABASE_URL: inject("postgresUrl") });

test("an app is made of a database that is in use, with its rows", { timeout: 240_000 }, async () => {
  await app.kirakSucceeds("introspect", "--open", "admin");
  await app.kirakSucceeds("generate");
  await app.succeed(process.execPath, "node_modules/typescript/bin/tsc");
  const served = await app.serve();
  const { output } = await app.kirakSucceeds("token", "--role", "admin");
  const films = await served.ask("/film/fetch", output.trim());
  expect(films).toMatchObject({ status: 200, text: expect.stringContaining("ACADEMY DINOSAUR") });
  expect(await served.stop()).toBe(0);
  await app.succeed(process.execPath, "node_modules/vitest/vitest.mjs", "run");
});
