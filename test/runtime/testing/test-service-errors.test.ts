import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { findBinaries } from "#runtime/migrations/embedded-postgres/index";
import { startTestService, type TestOptions, TestServiceError } from "#runtime/testing/index";
import { databasePrefix } from "#runtime/testing/test-database";
import { service } from "../../http/fixture/generated/index.ts";
import { testDatabase } from "../../support/database.ts";
import { fixtureApp, temporaryFolder } from "../../support/temporary-folder.ts";

const root = fixtureApp();
const failure = (options: TestOptions, served = service) =>
  startTestService(served, { root, ...options }).then(
    () => expect.fail("it has started"),
    (error: unknown) => error,
  );

async function generated(lock: object): Promise<string> {
  const app = fixtureApp();
  mkdirSync(join(app, "generated"));
  writeFileSync(join(app, "models", "models.json"), "{}");
  writeFileSync(join(app, "generated", "manifest.lock.json"), JSON.stringify(lock));
  return app;
}

// biome-ignore format: one case a line
test.each<[string, () => Promise<TestOptions>, RegExp]>([
  ["no such server", async () => ({ databaseUrl: "postgres://kirak@127.0.0.1:1/postgres" }),
    /^the database cannot be reached \(SERVICE_TEST_DATABASE_URL\): connect ECONNREFUSED 127\.0\.0\.1:1$/],
  ["no URL", async () => ({ databaseUrl: "localhost" }),
    /^SERVICE_TEST_DATABASE_URL must be a URL that begins with postgres:\/\/ or postgresql:\/\/$/],
  ["a role that may make no databases", async () => ({ databaseUrl: await urlOfRole("weak", "") }),
    /: permission denied to create database; .*: ALTER ROLE "weak" CREATEDB$/],
  ["no manifest", async () => ({ root: temporaryFolder("kirak-nothing-") }),
    /models\/manifest\.json cannot be read: ENOENT.*\nThe app's folder is \/.*kirak-nothing-\w+; set `root` to another folder\.$/],
  ["models that are not generated", async () => ({ root: await generated({ code_format: 1, models: "others" }) }),
    /^models\/ changed after generated\/ was written: run npm run generate$/],
  ["code of another version", async () => ({ root: await generated({ code_format: 1_000 }) }), /^generated\/ was made for a newer version of kirak/],
])("%s is reported with a message", async (_, options, message) => {
  const error = await failure(await options());
  expect(error).toBeInstanceOf(TestServiceError);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
});

/** The URL of a new database role with these rights, which is dropped after the test. */
async function urlOfRole(name: string, rights: string): Promise<string> {
  const { query } = await testDatabase();
  await query(`create role ${name} login password 'secret' ${rights}`);
  onTestFinished(async () => {
    const owned = "select datname from pg_database where pg_get_userbyid(datdba) = $1";
    for (const { datname } of await query(owned, [name])) await query(`drop database "${datname}"`);
    await query(`drop role ${name}`);
  });
  const url = new URL(inject("postgresUrl"));
  url.username = name;
  url.password = "secret";
  return url.href;
}

test("a role that may create databases can do all else", async () => {
  const app = await startTestService(service, { root, databaseUrl: await urlOfRole("tester", "createdb") });
  expect(new URL(app.database.url).username).toBe("tester");
  expect((await app.request("/stamps/count")).status).toBe(200);
  await app.stop();
});

test("without an embedded PostgreSQL one can be named", async () => {
  vi.stubEnv("SERVICE_TEST_DATABASE_URL", "");
  const arch = vi.spyOn(process, "arch", "get").mockReturnValue("s390");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    arch.mockRestore();
  });
  expect(await failure({})).toMatchObject({
    name: "TestServiceError",
    message: expect.stringMatching(
      /^the embedded PostgreSQL is not available .*: set SERVICE_TEST_DATABASE_URL$/,
    ),
  });
});

test("a server can be named in .env, and the environment wins", async () => {
  const app = fixtureApp();
  writeFileSync(join(app, ".env"), "SERVICE_TEST_DATABASE_URL=wrong\n");
  await (await startTestService(service, { root: app })).stop();
  vi.stubEnv("SERVICE_TEST_DATABASE_URL", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await failure({ root: app })).toMatchObject({ message: expect.stringContaining("must be a URL") });
});

test("a migration that fails is named, and leaves no database", async () => {
  const folder = temporaryFolder("kirak-migrations-");
  const migration = {
    name: "0001_wrong",
    parent: null,
    up: [{ step: "drop_table", table: "nothing" }],
    down: [],
  };
  writeFileSync(join(folder, "0001_wrong.js"), `export const migration = ${JSON.stringify(migration)};`);
  const error = await failure(
    {},
    { ...service, name: "of a wrong migration", migrations: pathToFileURL(`${folder}/`) },
  );
  expect(error).toMatchObject({ message: expect.stringContaining("0001_wrong") });
  const { query } = await testDatabase();
  const prefix = databasePrefix("of a wrong migration", inject("postgresUrl"));
  expect(await query("select from pg_database where starts_with(datname, $1)", [prefix])).toEqual([]);
});

test("a cluster that cannot be used can be removed, and the error names its folder", async () => {
  const app = fixtureApp();
  vi.stubEnv("SERVICE_TEST_DATABASE_URL", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const data = join(app, "var", "kirak", "testing", findBinaries().version, "postgres");
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "PG_VERSION"), "9");
  expect(await failure({ root: app })).toMatchObject({
    message: expect.stringMatching(
      /was created by PostgreSQL 9.*\n.*testing is only for tests and can be removed$/,
    ),
  });
});

test("a start that fails leaves no database", async () => {
  const migrations = pathToFileURL(`${temporaryFolder("kirak-migrations-")}/`);
  const own = { ...service, name: "that does not start", usesQueue: false, migrations };
  const settings = { base_url: "nowhere" };
  expect(await failure({ settings }, own)).toBeInstanceOf(TestServiceError);
  const { query } = await testDatabase();
  const names = await query("select datname from pg_database where starts_with(datname, $1)", [
    databasePrefix(own.name, inject("postgresUrl")),
  ]);
  expect(names).toEqual([{ datname: expect.stringContaining("_template_") }]);
});

test("without a TypeScript loader the error names one", async () => {
  const folder = temporaryFolder("kirak-migrations-");
  const code = "ERR_UNKNOWN_FILE_EXTENSION";
  writeFileSync(join(folder, "0001_a.js"), `throw Object.assign(new Error("no"), { code: "${code}" });`);
  const served = { ...service, migrations: pathToFileURL(`${folder}/`) };
  expect(await failure({}, served)).toMatchObject({
    name: "TestServiceError",
    message: expect.stringMatching(
      /`server: \{ deps: \{ inline: \["kirak\/lib\/cli\/testing", "kirak\/lib\/runtime\/testing"\]/,
    ),
  });
});
