import { describe, expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { adoptedProject } from "./adopted-project.ts";

const films = await testDatabase();
await films.query(`CREATE TABLE films (id serial PRIMARY KEY, title text); CREATE SCHEMA sales;
  CREATE TABLE sales.orders (id uuid PRIMARY KEY)`);
const other = await testDatabase();
await other.query("CREATE TABLE films (id serial PRIMARY KEY); CREATE SCHEMA sales");
const empty = await testDatabase();
await empty.query("CREATE SCHEMA other; CREATE TABLE other.things (id serial PRIMARY KEY)");

/** The URL with another part. */
const urlWith = (change: (url: URL) => void, base = films.url) => {
  const url = new URL(base);
  change(url);
  return url.href;
};
const applied = async () =>
  (await films.query("SELECT to_regclass('kirak_migrations') IS NOT NULL AS there"))[0]?.["there"];

describe("existing files are kept", () => {
  test("--dry-run writes nothing, and marks nothing", async () => {
    const shop = adoptedProject(films.url);
    const { status, stdout } = await shop.introspect("--normalise", "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain("1 model: would write models/models.json, generated/");
    expect(stdout).toContain("schema sales (1 table): it was not read");
    expect(shop.read("models/models.json")).toBe("{}");
    expect(await applied()).toBe(false);
  });

  test("--dry-run goes on where models are, and says what stays of the project before", async () => {
    const shop = adoptedProject(films.url);
    shop.write("models/models.json", { $conditions: {}, books: { fields: {} }, pens: { fields: {} } });
    shop.write("models/hooks/books.ts", "");
    shop.write("models/hooks/films.ts", "");
    const { status, stdout, stderr } = await shop.introspect("--normalise", "--dry-run");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^1 model: would write models\/models.json/m);
    expect(stdout).toMatch(
      /^hook files without a model after this run: models\/hooks\/books.ts: delete them[\s\S]*^models\/manifest.json stays the same/m,
    );
    expect(stdout).toMatch(/^models\/models.json already has 2 models: to replace them, use --force\n$/m);
    expect(await applied()).toBe(false);
  });

  test("models, migrations and further models files", async () => {
    const shop = adoptedProject(films.url);
    shop.write("models/models.json", { books: { fields: {} } });
    expect(await shop.introspect("--normalise")).toMatchObject({ status: 1, stdout: "" });
    expect((await shop.introspect("--normalise")).stderr).toMatch(
      /^models\/models.json already has a model; nothing is written\n/,
    );
    shop.write("models/models.json", "{ not json");
    expect((await shop.introspect("--normalise")).status).toBe(1);
    shop.write("models/models.json", {});
    shop.write("generated/migrations/0001_initial.ts", "");
    expect((await shop.introspect("--normalise")).stderr).toContain(
      "generated/migrations/0001_initial.ts already exists",
    );
    shop.write("models/more.models.json", {});
    expect((await shop.introspect("--normalise", "--force")).stderr).toContain(
      "models/more.models.json would be merged into the models",
    );
    expect(await applied()).toBe(false);
  });

  test("--force replaces models and migrations, also those of an earlier run, and not the manifest", async () => {
    const shop = adoptedProject(films.url);
    shop.write("models/models.json", { books: { fields: { title: { type: "string" } } } });
    await shop.generate();
    shop.write("models/hooks/books.ts", "");
    const first = await shop.introspect("--normalise", "--force");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toContain("removed");
    expect(first.stdout).toMatch(/^hook files without a model: models\/hooks\/books.ts: delete them/m);
    expect(first.stdout).toMatch(/^models\/manifest.json stays the same/m);
    expect(first.stdout).not.toContain("orphan-hook");
    shop.remove("models/hooks");
    expect(Object.keys(shop.files("generated"))).toEqual([
      ...["access-matrix.txt", "manifest.lock.json", "migrations/0001_baseline.ts", "migrations/schema.json"],
    ]);
    expect(JSON.parse(shop.read("models/manifest.json"))).toEqual({ name: "fixture" });
    await films.query("ALTER TABLE films ADD COLUMN year integer");
    expect(await shop.introspect("--normalise")).toMatchObject({ status: 1, stdout: "" });
    expect((await shop.introspect("--normalise", "--force")).status).toBe(0);
    expect(shop.read("models/models.json")).toContain('"year"');
    expect(shop.goOn("npm run generate")).toMatchObject({ status: 0 });
    expect(shop.migrate()).toMatchObject({ status: 0, stderr: "" });
    // Now it has a history of its own.
    const again = await shop.introspect("--normalise", "--force");
    expect(again).toMatchObject({ status: 1, stdout: "" });
    expect(again.stderr).toMatch(/has migrations already \(0001_baseline, .*, 0002_/);
  });
});

describe("2, in words", () => {
  // biome-ignore format: one case a line
  test.each([
    ["an unknown flag", other.url, ["--scheam", "x"], /^Unknown argument: scheam; did you mean --schema\?\n/],
    ["an unknown word", other.url, ["dryrun"], /^Unknown argument: dryrun; did you mean --dry-run\?\n/],
    ["a flag without its value", other.url, ["--schema", "--force"], /^Not enough arguments following: schema\n/],
    ["a switch with one", other.url, ["--force=no"], /^--force must be true or false, not "no"\n/],
    ["an empty flag", other.url, ["--out", ""], /^--out needs a value\n/],
    ["no database of that name", urlWith((url) => { url.pathname = "/nothing"; }), [], /^the database cannot be reached.*"nothing" does not exist/],
    ["no server", "postgres://127.0.0.1:1/x", [], /^the database cannot be reached \(--url\).*ECONNREFUSED/],
    ["no URL of PostgreSQL", "mysql://127.0.0.1/x", [], /^ {2}- --url must be a URL/m],
    ["no such schema", other.url, ["--schema", "sails"], /has no schema sails; nothing is written/],
    ["a schema that the service would not find", other.url, ["--schema", "sales"], /point the URL here, with \?options=-c%20search_path%3Dsales/],
    ["no tables", empty.url, [], /^the schema public has no table that can become a model.*\n {2}schema other has 1\n/],
    ["a folder of the project", other.url, ["--out", "runtime"], /^the output folder runtime is a folder of the project/],
  ] as const)("%s", async (_, url, flags, message) => {
    const { status, stdout, stderr } = await adoptedProject(url).introspect("--normalise", ...flags);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(stderr).not.toMatch(/^(?! {2}--url).*SERVICE_DATABASE_URL/m);
  });

  test("no rights", async () => {
    await films.query(
      "CREATE ROLE reader LOGIN PASSWORD 'reader'; REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    );
    const url = urlWith((one) => Object.assign(one, { username: "reader", password: "reader" }), other.url);
    expect(await adoptedProject(url).introspect("--normalise")).toMatchObject({
      ...{
        status: 2,
        stderr: expect.stringMatching(/^the role reader cannot create tables in the schema public/),
      },
    });
    await other.query("GRANT CREATE ON SCHEMA public TO reader");
    expect((await adoptedProject(url).introspect("--normalise", "--dry-run")).stdout).toMatch(
      /the role reader does not own films: THE NEXT/,
    );
    await other.query("DROP OWNED BY reader; DROP ROLE reader");
  });
});

test("another schema, where the URL leads to it", async () => {
  const shop = adoptedProject(urlWith((url) => url.searchParams.set("options", "-c search_path=sales")));
  expect(await shop.introspect("--normalise", "--schema", "sales")).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(shop.read("models/models.json")).orders.id_type).toBe("uuid");
  expect(await films.query("SELECT name FROM sales.kirak_migrations")).toEqual([{ name: "0001_baseline" }]);
});

test("as a process, with the database of the environment", () => {
  const shop = adoptedProject(other.url);
  expect(shop.command("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("Exit codes:") });
  expect(shop.command("--dry-run")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^1 model/m) });
  expect(shop.command("--frce")).toMatchObject({ status: 2, stdout: "" });
  expect(adoptedProject("").command()).toMatchObject({
    ...{ status: 2, stderr: expect.stringContaining("SERVICE_DATABASE_URL is not set") },
  });
  shop.write(".env/a-folder", "");
  expect(shop.command()).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^\.env cannot be read by this user \(.*\)\n$/),
  });
});
