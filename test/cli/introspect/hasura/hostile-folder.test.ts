import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testDatabase } from "../../../support/database.ts";
import { adoptedProject } from "../adopted-project.ts";

const { url, query } = await testDatabase();
await query("CREATE TABLE books (id serial PRIMARY KEY)");

const version = "version: 3\n";
/** The file of the databases, with a value in the place of the tables. */
const databases = (tables: string) => `- name: default\n  kind: postgres\n  tables: ${tables}\n`;
/** Ten levels of ten aliases each. */
const bomb = [
  `a0: &a0 [x]`,
  ...Array.from(
    { length: 10 },
    (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(", ")}]`,
  ),
].join("\n");

// biome-ignore format: one case a line
test.each<readonly [string, { readonly [file: string]: string }, RegExp]>([
  ["no version", {}, /^metadata\/version.yaml:1: metadata\/version.yaml cannot be read, or is not another .yaml file of the folder\n$/],
  ["version 2", { "version.yaml": "version: 2\n", "tables.yaml": "[]" }, /^metadata\/version.yaml:1: this command reads `version: 3`: upgrade it with `hasura scripts update-project-v3`\n$/],
  ["a version in quotes", { "version.yaml": 'version: "3"\n' }, /^metadata\/version.yaml:1: this command reads/],
  ["no databases", { "version.yaml": version }, /^metadata\/databases\/databases.yaml:1: metadata\/databases\/databases.yaml cannot be read, or is not another .yaml file of the folder\n$/],
  ["a missing include", { "version.yaml": version, "databases/databases.yaml": databases('"!include default/tables.yaml"') }, /^metadata\/databases\/databases.yaml:3: metadata\/databases\/default\/tables.yaml cannot be read, or is not another .yaml file of the folder\n$/],
  ["an include of a folder", { "version.yaml": version, "databases/databases.yaml": databases('"!include ."') }, /^metadata\/databases\/databases.yaml:3: metadata\/databases cannot be read, or is not another .yaml file of the folder\n$/],
  ["an include outside", { "version.yaml": version, "databases/databases.yaml": databases("!include ../../secret.yaml"), "../secret.yaml": "[]" }, /^metadata\/databases\/databases.yaml:3: secret.yaml cannot be read, or is not another .yaml file of the folder\n$/],
  ["an include of another file", { "version.yaml": version, "databases/databases.yaml": databases("!include .env"), "databases/.env": "- SECRET" }, /^metadata\/databases\/databases.yaml:3: metadata\/databases\/.env cannot be read, or is not another .yaml file of the folder\n$/],
  ["an include below a file", { "version.yaml": version, "databases/databases.yaml": databases("!include databases.yaml/x.yaml") }, /^metadata\/databases\/databases.yaml:3: metadata\/databases\/databases.yaml\/x.yaml cannot be read, or is not another .yaml file of the folder\n$/],
  ["a name with a zero byte", { "version.yaml": version, "databases/databases.yaml": databases('"!include a\\0.yaml"') }, /^metadata\/databases\/databases.yaml:3: metadata\/databases\/a.*yaml cannot be read, or is not another .yaml file of the folder\n$/],
  ["an absolute include", { "version.yaml": version, "databases/databases.yaml": databases("!include /etc/hostname") }, /^metadata\/databases\/databases.yaml:3: .*etc\/hostname cannot be read, or is not another .yaml file of the folder\n$/],
  ["a file that includes itself", { "version.yaml": version, "databases/databases.yaml": databases("!include databases.yaml") }, /^metadata\/databases\/databases.yaml:3: metadata\/databases\/databases.yaml cannot be read, or is not another .yaml file of the folder\n$/],
  ["aliases without end", { "version.yaml": version, "databases/databases.yaml": databases("[]"), "actions.yaml": bomb }, /^metadata\/actions.yaml:1: it is not YAML: ReferenceError: Excessive alias count/],
  ["an alias of itself", { "version.yaml": version, "databases/databases.yaml": databases("&self [*self]") }, /^metadata\/databases\/databases.yaml:1: it is not YAML: RangeError/],
  ["lists without end", { "version.yaml": version, "databases/databases.yaml": "[".repeat(10_000) }, /databases.yaml:\d+: /],
  ["not YAML", { "version.yaml": version, "databases/databases.yaml": "- name: default\n  tables: [\n" }, /databases.yaml:\d+: it is not YAML: /],
  ["a key twice", { "version.yaml": version, "databases/databases.yaml": "- name: a\n  name: b\n" }, /databases.yaml:\d: it is not YAML: YAMLParseError: Map keys must be unique/],
  ["binary", { "version.yaml": "\0\u0001\u0002" }, /^metadata\/version.yaml:1: /],
])("%s", async (_, files, message) => {
  const own = adoptedProject(url);
  mkdirSync(join(own.root, "metadata"));
  for (const [name, text] of Object.entries(files)) {
    const path = join(own.root, "metadata", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const { status, stdout, stderr } = await own.introspect("--hasura", "metadata");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(own.read("models/models.json")).toBe("{}");
});

test("a link that leaves the folder, an absent folder, and flags that do not fit", async () => {
  const own = adoptedProject(url);
  mkdirSync(join(own.root, "metadata/databases"), { recursive: true });
  own.write("metadata/version.yaml", version);
  own.write("outside.yaml", "[]");
  symlinkSync(join(own.root, "outside.yaml"), join(own.root, "metadata/databases/databases.yaml"));
  const refused = async (...flags: readonly string[]) => (await own.introspect(...flags)).stderr;
  expect(await refused("--hasura", "metadata")).toMatch(
    /databases.yaml:1: metadata\/databases\/databases.yaml cannot be read, or is not another .yaml file of the folder\n$/,
  );
  expect(await refused("--hasura", "nowhere")).toBe(
    "nowhere/version.yaml:1: nowhere/version.yaml cannot be read, or is not another .yaml file of the folder\n",
  );
  const fit =
    /^--hasura describes the tables as they are: leave out --check and --normalise; --guest needs --hasura\n$/;
  expect(await refused("--hasura", "metadata", "--check")).toMatch(fit);
  expect(await refused("--hasura", "metadata", "--normalise")).toMatch(fit);
  expect(await refused("--guest", "visitor")).toMatch(fit);
});

test("nothing is written if the definition has errors", async () => {
  const own = adoptedProject(url);
  mkdirSync(join(own.root, "metadata/databases"), { recursive: true });
  own.write("metadata/version.yaml", version);
  own.write("metadata/databases/databases.yaml", databases("[{ table: { schema: public, name: books } }]"));
  own.write("models/manifest.json", { name: "shop", future_key: 1 });
  expect(await own.introspect("--hasura", "metadata")).toMatchObject({ status: 2, stdout: "" });
  expect(own.read("models/models.json")).toBe("{}");
  expect(JSON.parse(own.read("models/manifest.json"))).toEqual({ name: "shop", future_key: 1 });
});

test("models stay, and --force replaces them", async () => {
  const own = adoptedProject(url);
  mkdirSync(join(own.root, "metadata/databases"), { recursive: true });
  own.write("metadata/version.yaml", version);
  own.write("metadata/databases/databases.yaml", databases("[{ table: { schema: public, name: books } }]"));
  own.write("models/models.json", { pens: { fields: {} } });
  expect(await own.introspect("--hasura", "metadata")).toMatchObject({ status: 1, stdout: "" });
  expect(await own.introspect("--hasura", "metadata", "--force")).toMatchObject({
    ...{
      status: 0,
      stderr: expect.stringMatching(
        /^metadata.databases.databases.yaml:1: auth.registration is false[^\n]*\n$/,
      ),
    },
  });
  expect(Object.keys(JSON.parse(own.read("models/models.json")))).toEqual(["$schema", "books"]);
});
