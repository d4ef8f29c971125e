import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { formerVersion } from "#cli/upgrade/former-version";
import { runUpgrade, type UpgradeFlags, upgradeConflict } from "#cli/upgrade/run-upgrade";
import { migrationsAfter } from "#cli/upgrade/upgrade-changes";
import { builtInReleases } from "#runtime/built-in-migrations/index";
import { type Project, project } from "../../generator/support/project.ts";

const models = { books: { fields: { title: { type: "string" } }, access: { fetch: [{ role: "admin" }] } } };
const asked: UpgradeFlags = { check: true, diff: false, json: false, from: null, base: null };
const lock = "generated/manifest.lock.json";

const changelog = `# Changelog

## [Unreleased]

## [0.2.0] - 2027-02-01

### Added

- Pens.

### Changed

- Logs are shorter.
- **Breaking:** Mails go out by jobs: start a worker.

## [0.1.1] - 2027-01-01

### Fixed

- Sums.

## [0.1.0] - 2026-11-24

### Added

- All of it.
`;

let app: Project;
let current: string;

function git(...words: readonly string[]): void {
  const identity = [
    "-c",
    "user.name=test",
    "-c",
    "user.email=test@example.org",
    "-c",
    "commit.gpgsign=false",
  ];
  execFileSync("git", [...identity, ...words], { cwd: app.root, stdio: "pipe" });
}

/** An app with kirak 0.1.0 at the commit HEAD, and 0.0.9 at the one before. */
beforeAll(async () => {
  app = project(models);
  app.write("package.json", { name: "shop", type: "module", dependencies: { kirak: "^0.0.9" } });
  await app.generate();
  git("init", "--quiet");
  git("add", "package.json", "models", "generated");
  git("commit", "--quiet", "--message", "first");
  const locked = { packages: { "node_modules/kirak": { version: "0.1.0" } } };
  app.write("package-lock.json", locked);
  git("add", "package-lock.json");
  git("commit", "--quiet", "--message", "second");
  app.write("var/newer/CHANGELOG.md", changelog);
  app.write("var/newer/package.json", { name: "kirak", version: "0.2.0" });
  current = app.read(lock);
});

beforeEach(() => app.write(lock, current));

async function upgrade(flags: Partial<UpgradeFlags>, version = "0.2.0") {
  const said = { out: "", complaint: "" };
  const running = { version, folder: join(app.root, "var/newer") };
  const exitCode = await runUpgrade(
    { ...asked, ...flags },
    { root: app.root, running },
    {
      print: (text) => {
        said.out += text;
      },
      complain: (text) => {
        said.complaint += text;
      },
    },
  );
  return { exitCode, ...said };
}

/** The lock as an older generator wrote it: what this one would write otherwise. */
function makeOlder(): void {
  app.write(lock, current.replace('  "code_format": 1,\n', ""));
}

test("an upgrade is told: text, behaviour with what is breaking first, the steps; nothing is written", async () => {
  makeOlder();
  const before = app.files("generated");
  expect(await upgrade({})).toEqual({
    exitCode: 1,
    complaint: "",
    out: `kirak 0.1.0 → 0.2.0 (0.1.0: package-lock.json at HEAD)

Generated text
  would write 1 file, ${Object.keys(before).length - 1} unchanged
    generated/manifest.lock.json
  --diff shows the lines

Behaviour
  0.2.0, 2027-02-01
    BREAKING Changed: Mails go out by jobs: start a worker.
    Changed: Logs are shorter.
    Added: Pens.
  0.1.1, 2027-01-01
    Fixed: Sums.

Migrations of the service's own tables
  none

To take it over
  npx kirak generate
  git diff: read it, run the tests, and commit all of it
`,
  });
  expect(app.files("generated")).toEqual(before);
});

test("--diff shows the lines", async () => {
  makeOlder();
  const { out } = await upgrade({ diff: true });
  expect(out).toContain(`--- a/${lock}\n+++ b/${lock}\n`);
  expect(out).toContain('\n+  "code_format": 1,\n');
});

test("the commit --base says the former version, and its migrations are told with what they do", async () => {
  const { exitCode, out } = await upgrade({ base: "HEAD~1" });
  expect(exitCode).toBe(1);
  expect(out).toContain("kirak 0.0.9 → 0.2.0 (0.0.9: package.json at HEAD~1)");
  expect(out).toContain("  0.1.0, 2026-11-24\n    Added: All of it.\n");
  expect(out).toContain(
    `  kirak_0003_web_auth of 0.1.0: additive
    auth_tokens: read as a whole, while everybody works
    auth_tokens: locked for a moment, however large it is
`,
  );
  expect(out).toMatch(/ {2}kirak_0001_accounts of 0\.1\.0: additive\n {4}users, .*: made\n/);
});

test("what a migration locks and loses is told loudly", async () => {
  const up = [
    { step: "set_type", table: "auth_tokens", column: "token_hash", type: "text" },
    { step: "drop_column", table: "users", column: "role" },
  ] as const;
  const later = { migration: { name: "kirak_0004_x", parent: null, up, down: [] }, since: "0.2.0" };
  const told = migrationsAfter("0.1.0", [...builtInReleases, later]);
  expect(told.map(({ name }) => name)).toEqual(["kirak_0004_x"]);
  expect(told[0]?.effect).toMatchObject({ class: "destructive", locks: ["auth_tokens"] });
});

test("a newer kirak that is not installed compares with the one that is, and says how to install it", async () => {
  const shop = { ...app, root: join(app.root, "shop") };
  app.write("shop/node_modules/kirak/package.json", { name: "kirak", version: "0.1.1" });
  app.write("shop/pnpm-lock.yaml", "");
  app.write("shop/models/models.json", models);
  app.write("shop/models/manifest.json", { name: "shop" });
  const said: string[] = [];
  const running = { version: "0.2.0", folder: join(app.root, "var/newer") };
  const output = { print: (text: string) => said.push(text), complain: (text: string) => said.push(text) };
  expect(await runUpgrade(asked, { root: shop.root, running }, output)).toBe(1);
  expect(said.join("")).toMatch(/^kirak 0\.1\.1 → 0\.2\.0 \(0\.1\.1: node_modules\/kirak\)\n/);
  expect(said.join("")).toContain("To take it over\n  pnpm add kirak@0.2.0\n  npx kirak generate\n");
  expect(said.join("")).not.toContain("Sums.");
  app.remove("shop");
});

test("0: the same version, and generated as it would", async () => {
  const { exitCode, out } = await upgrade({}, "0.1.0");
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: expect.stringMatching(
      /^kirak 0\.1\.0, as before \(package-lock\.json at HEAD\)\n\nGenerated text\n {2}nothing to do: \d+ files up to date\n$/,
    ),
  });
});

test("an app that has no commit yet had what its lock says now", async () => {
  app.write("new/models/models.json", models);
  app.write("new/models/manifest.json", { name: "shop" });
  app.write("new/package-lock.json", { packages: { "node_modules/kirak": { version: "0.2.0" } } });
  const root = join(app.root, "new");
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  const running = { version: "0.2.0", folder: join(app.root, "var/newer") };
  const former = (base: string | null) => formerVersion({ root, running, from: null, base });
  expect(await former(null)).toEqual({
    version: "0.2.0",
    told: "package-lock.json as it is now: nothing is committed yet",
  });
  expect(await former("main")).toMatchObject({ problem: expect.stringContaining("names no commit") });
  app.remove("new");
});

test("1: what generate would stop at, and what the models changed meanwhile, is told too", async () => {
  const path = "generated/models/books/policy.ts";
  const text = app.read(path);
  app.write(path, `${text}// mine\n`);
  app.write("models/models.json", { books: { ...models.books, soft_delete: true } });
  const { exitCode, out } = await upgrade({ from: "0.2.0", diff: true });
  app.write(path, text);
  app.write("models/models.json", models);
  expect(exitCode).toBe(1);
  expect(out).toContain("  edited by hand, and not overwritten: generated/models/books/policy.ts\n");
  expect(out).toContain("  to go on: npm run generate -- --force\n");
  expect(out).toContain("some of it may be yours: models or code have changed since generated/ was made");
});

test("1: models that this version refuses are shown with their lines", async () => {
  app.write("models/models.json", { books: { fields: { title: { type: "strnig" } } } });
  const { exitCode, out } = await upgrade({ from: "0.2.0" });
  app.write("models/models.json", models);
  expect(exitCode).toBe(1);
  expect(out).toMatch(/ {2}models\/models\.json:\d+:\d+ - error unknown-field-type: /);
});

test("--json prints one object", async () => {
  makeOlder();
  const { exitCode, out } = await upgrade({ json: true, from: "0.1.1" });
  expect({ exitCode, ...JSON.parse(out) }).toMatchObject({
    exitCode: 1,
    from: "0.1.1",
    to: "0.2.0",
    install: null,
    generated: { written: [lock], removed: [], problems: [] },
    releases: [{ version: "0.2.0", entries: [{ section: "Added" }, {}, { breaking: true }] }],
    migrations: [],
  });
});

test.each([
  [{ from: "newest" }, '--from is a version such as 0.1.0, not "newest"'],
  [{ from: "0.3.0" }, "the app had kirak 0.3.0, which is newer than this one, 0.2.0"],
  [{ base: "no-such" }, "is not known (no-such names no commit that is here"],
  [{ base: "--output=x" }, '"--output=x" is no name of a commit'],
])("2: %j has nothing to compare with", async (flags, message) => {
  const { exitCode, out, complaint } = await upgrade(flags);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
  expect(complaint).toContain(message);
  const json = await upgrade({ ...flags, json: true });
  expect(JSON.parse(json.out)).toMatchObject({ exitCode: 2, problem: expect.stringContaining(message) });
});

test("without --check the steps are said", async () => {
  const { exitCode, out } = await upgrade({ check: false });
  expect(exitCode).toBe(0);
  for (const text of [
    "This is kirak 0.2.0",
    "npx kirak@latest upgrade --check",
    "npm install kirak@latest",
    "npx kirak generate",
  ])
    expect(out).toContain(text);
});

test.each([
  [{ check: false, diff: true }, "--diff goes with --check"],
  [{ check: false, json: true, from: "0.1.0" }, "--json and --from go with --check"],
  [{ from: "0.1.0", base: "HEAD" }, "--from and --base exclude each other: both say what the app had"],
  [{ diff: true, json: true, base: "HEAD" }, null],
])("flags %j: %s", (flags, problem) => {
  expect(upgradeConflict({ ...asked, ...flags })).toBe(problem);
});
