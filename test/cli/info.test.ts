import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { compiled } from "../support/compiled.ts";
import { serviceDatabase, testDatabase } from "../support/database.ts";
import { folderWith } from "./support/folder-with.ts";

const program = fileURLToPath(compiled(new URL("../../cli/kirak.ts", import.meta.url)));
const run = promisify(execFile);
/** Rejects if the command fails. */
const kirak = (folder: string, words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, [program, ...words], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...variables },
  });

const tracker = resolve(import.meta.dirname, "..", "..", "examples", "tracker");
const secret = "a-secret-that-no-report-may-have-0123456789";
const info = async (url: string, { folder = tracker, words = ["--json"], more = {} } = {}) => {
  const variables = { SERVICE_DATABASE_URL: url, SERVICE_AUTH_JWT_SECRET_KEY: secret, ...more };
  const { stdout } = await kirak(folder, ["info", ...words], variables);
  expect(stdout).not.toContain(secret);
  return stdout;
};
const { service } = await import(join(tracker, "generated", "index.ts"));

it("prints versions, parts, names of variables, and a database that equals its migrations", async () => {
  const { url } = await serviceDatabase(service);
  expect(JSON.parse(await info(url, { more: { SERVICE_REDIS_UR: "redis://x" } }))).toMatchObject({
    versions: {
      kirak: "0.1.0",
      node: process.versions.node,
      packages: { typescript: expect.stringMatching(/^\d+\.\d+/), sharp: expect.any(String) },
    },
    generated: {
      state: "up to date",
      models: { served: 6, internal: 1 },
      routes: { all: expect.any(Number), custom: 1 },
      jobs: 1,
    },
    configuration: {
      modules: [],
      problems: [],
      warnings: expect.arrayContaining([expect.stringContaining("SERVICE_REDIS_UR")]),
    },
    environment: ["SERVICE_AUTH_JWT_SECRET_KEY", "SERVICE_DATABASE_URL", "SERVICE_REDIS_UR"],
    database: { postgresql: expect.stringMatching(/^\d+\.\d+/), embedded: false },
    migrations: { applied: expect.any(Number), pending: [], others: [] },
    drift: { differences: 0, notes: 0 },
  });
});

it("counts differences and lists pending migrations, as text too", async () => {
  const changed = await serviceDatabase(service);
  await changed.query("alter table tasks drop column title");
  expect(JSON.parse(await info(changed.url))).toMatchObject({ drift: { differences: 1 } });
  expect(await info(changed.url, { words: [] })).toMatch(/^drift\n {2}differences: 1\n {2}notes: 0$/m);
  const empty = await testDatabase();
  const { migrations, drift } = JSON.parse(await info(empty.url));
  expect(migrations).toMatchObject({ applied: 0, pending: expect.arrayContaining(["0001_initial"]) });
  expect(drift).toBe(null);
  expect(await info(empty.url, { words: [] })).toMatch(/^ {2}pending\n(?: {4}\w+\n)* {4}0001_initial$/m);
});

it("prints a problem in place of a part that it cannot read", async () => {
  const unreached = JSON.parse(await info(`postgres://kirak:${secret}@127.0.0.1:1/none`));
  expect(unreached).toMatchObject({
    generated: { state: "up to date" },
    database: { problem: expect.stringContaining("the database cannot be reached") },
    migrations: null,
  });
  const bare = folderWith({ "models/models.json": {}, "models/manifest.json": { nmae: "shop" } });
  const { url } = await testDatabase();
  expect(JSON.parse(await info(url, { folder: bare }))).toMatchObject({
    versions: { app: null },
    generated: { problem: "generated/ is missing: run npm run generate" },
    configuration: { modules: null, problems: [expect.stringContaining("nmae")] },
    database: { embedded: false },
    migrations: null,
    drift: null,
  });
  const without = await kirak(bare, ["info"]);
  expect(without.stdout).toMatch(
    /^database\n {2}problem: SERVICE_DATABASE_URL is not set, and the embedded PostgreSQL/m,
  );
});
