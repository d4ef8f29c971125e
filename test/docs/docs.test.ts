import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateFlags } from "#cli/generate/generate-flags";
import { knownVariables } from "#runtime/core/config/environment-variables";
import { builtInMigrations } from "#runtime/migrations/built-in/index";
import { errorCodes } from "#vocabulary/error-codes";
import { pages } from "../support/docs.ts";

// What README and docs name is there, by the name that they give it.
const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const all = [...pages.values()].join("\n");

/** What a pattern finds on each page, as `page: text`, where it does not hold. */
function wrong(pattern: RegExp, holds: (found: string) => boolean): string[] {
  return [...pages].flatMap(([page, text]) =>
    [...text.matchAll(pattern)]
      .map(([, found = ""]) => found)
      .filter((found) => !holds(found))
      .map((found) => `${page}: ${found}`),
  );
}

test("commands that are named are there, and each is named", () => {
  const scripts: object = JSON.parse(read("package.json")).scripts;
  const there = (name: string) => Object.hasOwn(scripts, name);
  expect(wrong(/npm run (?:--silent )?([\w-]+)/g, there)).toEqual([]);
  const named = (name: string) => new RegExp(`npm (run )?(--silent )?${name}\\b`).test(all);
  expect(Object.keys(scripts).filter((name) => !named(name))).toEqual([]);
  const known = (line: string) =>
    [...line.matchAll(/--([a-z-]+)/g)].every(
      ([, flag = ""]) => flag === "help" || Object.hasOwn(generateFlags, flag),
    );
  expect(wrong(/npm run (?:--silent )?generate -- ([^`\n|&]*)/g, known)).toEqual([]);
});

/** The keys of a JSON Schema, those of sections with a dot. */
function keysOf(schema: { properties?: Record<string, object> }, prefix = ""): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const below = keysOf(inner, `${prefix}${key}.`);
    return below.length === 0 ? [`${prefix}${key}`] : below;
  });
}

test("docs/manifest.md has each key of the manifest that has an effect, and no other", () => {
  const keys = keysOf(JSON.parse(read("schemas/manifest.schema.json")));
  const rows = [...read("docs/manifest.md").matchAll(/^\| `([a-z0-9_.]+)` \|/gm)].map(([, key = ""]) => key);
  expect(rows.filter((key) => !keys.includes(key))).toEqual([]);
  const withoutEffect = /^monitoring\.(enabled|log_capture_enabled|log_user_id)$/;
  const inWords = ["$schema", "base_url", "modules"];
  const missing = keys.filter((key) => !rows.includes(key) && !inWords.includes(key));
  expect(missing.filter((key) => !withoutEffect.test(key))).toEqual([]);
});

test("docs/models.md has each key of models and fields", () => {
  const { model, field } = JSON.parse(read("schemas/models.schema.json")).definitions;
  const rows = read("docs/models.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const keys = [...keysOf(model), ...Object.keys(field.properties)];
  expect(keys.filter((key) => !rows.some((row) => row.split("|")[1]?.includes(`\`${key}\``)))).toEqual([]);
});

test("variables in the docs are known, and each is in docs/manifest.md and .env.example", () => {
  const known = (name: string) => knownVariables.includes(name) || name.startsWith("SERVICE_SET_");
  expect(wrong(/\b(SERVICE_[A-Z_]+[A-Z])\b/g, known)).toEqual([]);
  for (const file of ["docs/manifest.md", ".env.example"])
    expect(
      knownVariables.filter((name) => !read(file).includes(name)),
      file,
    ).toEqual([]);
});

test("error codes that tables name are known, with their status", () => {
  const codes: Readonly<Record<string, { status: number }>> = errorCodes;
  const rows = [...all.matchAll(/^\| `([A-Z_]{5,})` \| (\d{3}) \|/gm)];
  expect(rows.length).toBeGreaterThan(12);
  const off = rows.filter(
    ([, code = "", status]) => code !== "HTTP_ERROR" && codes[code]?.status !== Number(status),
  );
  expect(off.map(([row]) => row)).toEqual([]);
});

test("docs/architecture.md shows each folder of the generator", () => {
  const folders = readdirSync(join(root, "generator"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const architecture = read("docs/architecture.md");
  expect(folders.filter(({ name }) => !architecture.includes(`${name}/ `)).map(({ name }) => name)).toEqual(
    [],
  );
});

test("README links docs/README.md, which links each page of docs/", () => {
  const docs = [...pages.keys()].filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(docs.length).toBeGreaterThan(20);
  expect(read("README.md")).toContain("](docs/README.md)");
  expect(docs.filter((page) => !read("docs/README.md").includes(`](${page.slice("docs/".length)})`))).toEqual(
    [],
  );
});

test(".gitattributes names files that are there", () => {
  const files = readdirSync(root).concat(
    readdirSync(join(root, "generated"), { recursive: true, encoding: "utf8" }).map(
      (name) => `generated/${name}`,
    ),
  );
  const patterns = read(".gitattributes")
    .split("\n")
    .flatMap((line) => line.split(" ")[0] ?? []);
  const matches = (pattern: string) =>
    files.some((file) => new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("**", ".*")}$`).test(file));
  expect(patterns.filter((pattern) => pattern !== "*" && pattern !== "" && !matches(pattern))).toEqual([]);
});

test("CHANGELOG.md has releases from the newest, which is the version of the package, to the oldest", () => {
  const headings = read("CHANGELOG.md").match(/^## .*$/gm) ?? [];
  const [unreleased, ...released] = headings;
  expect(unreleased).toBe("## [Unreleased]");
  const versions = released.map((line) => /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/.exec(line)?.[1]);
  expect(versions[0]).toBe(JSON.parse(read("package.json")).version);
  const byNumber = new Intl.Collator("en", { numeric: true }).compare;
  expect(versions).toEqual([...versions].sort((a = "", b = "") => byNumber(b, a)));
});

test("CHANGELOG.md names each migration of the service's own tables once", () => {
  const named = [...read("CHANGELOG.md").matchAll(/\bkirak_\d{4,}_\w+/g)].map(([name]) => name);
  expect(named.sort()).toEqual(builtInMigrations.map(({ name }) => name).sort());
});
