import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { migrate, migrationStatus, pendingMigrations } from "#runtime/migrations/runner/index";
import { CommandError, explain } from "#runtime/process/failure";
import { codeFormatRefusal } from "#runtime/process/index";
import { loadEnvironment } from "#runtime/process/load-environment";
import { modelsChanged } from "#runtime/process/models-changed";
import { codeFormat } from "#vocabulary/code-format";
import { type Project, project } from "../../generator/support/project.ts";
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

test("an unknown error message is masked", () => {
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

test("a missing file is not a database error", () => {
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

const lock = (format: unknown) => JSON.stringify({ code_format: format, format: "", models: "", files: {} });
const older =
  /^generated\/ was made for an older version of kirak \(no code format, this runtime serves 1\): run npx kirak generate$/;

test("output of this generator version is served", () => {
  expect(codeFormatRefusal(lock(codeFormat))).toBeNull();
});

// biome-ignore format: one case a line
test.each([
  ["no lock", null, /^generated\/manifest\.lock\.json is missing: run npx kirak generate/],
  ["a lock of before there were formats", lock(undefined), older],
  ["an empty lock", "{}", older],
  ["an invalid format", lock("1"), older],
  ["a format between two", lock(0.5), older],
  ["a format that only the prototype has", '{ "__proto__": { "code_format": 1 } }', older],
  ["a newer format", lock(codeFormat + 1),
    /^generated\/ was made for a newer version of kirak \(code format 2, this runtime serves 1\): install .*kirak@latest$/],
  ["marks of a merge", `<<<<<<< ours\n${lock(1)}\n=======\n${lock(2)}\n>>>>>>> theirs\n`,
    /^generated\/manifest\.lock\.json has merge conflict markers: merge models\/, then run npx kirak generate$/],
  ["half a lock", '{ "code_format": 1', /^generated\/manifest\.lock\.json cannot be read: run npx/],
  ["an empty file", "", /cannot be read/],
  ["another kind of JSON", "[1]", /cannot be read/],
  ["null", "null", /cannot be read/],
])("%s is refused in one line that says what to do", (_, text, message) => {
  expect(codeFormatRefusal(text)).toMatch(message);
});

const books = { fields: { title: { type: "string" } } };
const notes = { fields: { text: { type: "text" } } };
const hook = "export {};\n";

async function generated(): Promise<Project> {
  const own = project({ books });
  own.write("models/more.models.json", { notes });
  own.write("models/hooks/notes.ts", "export function before_create() {}\n");
  expect((await own.generate()).exitCode).toBe(0);
  return own;
}

describe("after npm run generate", () => {
  test("models/ has changed when a model or an error does, or a hook file comes or goes, until the next", async () => {
    const own = await generated();
    expect(modelsChanged(own.root)).toBe(false);
    // biome-ignore format: one case a line
    const changes: ((own: Project) => void)[] = [
      (p) => p.write("models/models.json", { books: { ...books, soft_delete: true } }),
      (p) => p.write("models/more.models.json", { notes: { ...notes, max_limit: 7 } }),
      (p) => p.write("models/others.models.json", { letters: notes }),
      (p) => p.write("models/hooks/books.ts", "export function before_create() {}\n"),
      (p) => p.remove("models/hooks/notes.ts"),
      (p) => p.write("models/manifest.json", { name: "fixture", service_prefix: "/v9" }),
      (p) => p.write("models/manifest.json", { name: "fixture", typescript: { kysely: true } }),
      (p) => p.write("models/errors.json", { SLOT_TAKEN: { status: 409, description: "Taken." } }),
      (p) => p.write("models/errors.json", { SLOT_TAKEN: { status: 410, description: "Taken." } }),
      (p) => p.remove("models/errors.json"),
      (p) => p.write("models/migrations/0100_own.ts", 'export default defineSqlMigration({ class: "additive", up: "SELECT 1" });\n'),
    ];
    for (const change of changes) {
      change(own);
      expect(modelsChanged(own.root)).toBe(true);
      expect((await own.generate()).exitCode).toBe(0);
      expect(modelsChanged(own.root)).toBe(false);
    }
  });

  test("times of files, their formatting and changes that do not affect the output do not count", async () => {
    const own = await generated();
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(own.root, "models/models.json"), later, later);
    own.write("models/models.json", JSON.stringify({ $schema: "../x.json", books }));
    own.write("models/more.models.json", { notes: { ...notes, lint_ignore: { "hidden-field": "soon" } } });
    own.write("models/manifest.json", {
      name: "fixture",
      server: { bulk_limit: 7 },
      typescript: { kysely: false },
    });
    own.write("models/hooks/notes.ts", hook);
    own.write("models/hooks/notes.test.ts", hook);
    own.write("models/shop/slug.ts", hook);
    expect(modelsChanged(own.root)).toBe(false);
  });

  test("nothing is reported if it is unknown: no models, no generated ones, a lock that cannot be read", async () => {
    const own = await generated();
    own.write("models/models.json", { books: { ...books, soft_delete: true } });
    for (const text of ["", "{}", '{"models": 7}', '{"models": ""}', "<<<<<<< ours\n"]) {
      own.write("generated/manifest.lock.json", text);
      expect(modelsChanged(own.root)).toBe(false);
    }
    own.remove("generated");
    expect(modelsChanged(own.root)).toBe(false);
    const image = await generated();
    image.remove("models/models.json");
    expect(modelsChanged(image.root)).toBe(false);
  });
});

const root = mkdtempSync(join(tmpdir(), "kirak-environment-"));
const path = join(root, ".env");
const names = ["KIRAK_TEST_A", "KIRAK_TEST_B"] as const;

afterEach(() => {
  rmSync(path, { recursive: true, force: true });
  for (const name of names) delete process.env[name];
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test("an app without .env uses only the environment", () => {
  expect(loadEnvironment(root)).toBe(process.env);
});

test("an environment variable wins over .env, an empty value too", () => {
  writeFileSync(path, "KIRAK_TEST_A=file\nKIRAK_TEST_B='of the file'\n");
  process.env["KIRAK_TEST_A"] = "";
  loadEnvironment(root);
  expect(names.map((name) => process.env[name])).toEqual(["", "of the file"]);
});

test("a byte order mark in front of .env is not part of the first name", () => {
  writeFileSync(path, "\ufeffKIRAK_TEST_A=file\nKIRAK_TEST_B=file\n");
  loadEnvironment(root);
  expect(names.map((name) => process.env[name])).toEqual(["file", "file"]);
});

test("a folder in its place is reported", () => {
  mkdirSync(path);
  expect(() => loadEnvironment(root)).toThrow(CommandError);
  expect(() => loadEnvironment(root)).toThrow(/^\.env cannot be read by this user \(EISDIR/);
});

// The root user can read every file.
test.skipIf(process.getuid?.() === 0)("a file of another user is reported", () => {
  writeFileSync(path, "KIRAK_TEST_A=file\n");
  chmodSync(path, 0o000);
  expect(() => loadEnvironment(root)).toThrow(/^\.env cannot be read by this user \(EACCES/);
});
