import { expect, test } from "vitest";
import type { LimitDefinition } from "#generator/definition/definition";
import { type Operation, operations } from "#vocabulary/operations";
import { loadFiles } from "../load/load-text.ts";

interface Case {
  readonly title: string;
  /** Left out: the model has no block. */
  readonly block?: object;
  readonly manifest?: object;
  readonly fetch: string;
  readonly create: string;
  /** Of the eight others. */
  readonly rest: string;
}

const two = { max_requests: 2, window_seconds: 10 };
const byDefault = "100 in 60 per ip (manifest)";

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { title: "no block", fetch: byDefault, create: byDefault, rest: byDefault },
  { title: "{}", block: {}, fetch: byDefault, create: byDefault, rest: byDefault },
  { title: "enabled: true", block: { enabled: true }, fetch: byDefault, create: byDefault, rest: byDefault },
  { title: "no block, and numbers of the manifest", manifest: { rate_limit: { default_max_requests: 7, default_window_seconds: 9 } },
    fetch: "7 in 9 per ip (manifest)", create: "7 in 9 per ip (manifest)", rest: "7 in 9 per ip (manifest)" },
  { title: "a flat block", block: two, fetch: "2 in 10 per ip (model)", create: "2 in 10 per ip (model)", rest: "2 in 10 per ip (model)" },
  { title: "a flat block that is switched on, per user", block: { ...two, enabled: true, per: "user" }, fetch: "2 in 10 per user (model)",
    create: "2 in 10 per user (model)", rest: "2 in 10 per user (model)" },
  { title: "enabled: false", block: { enabled: false }, fetch: "off (model)", create: "off (model)", rest: "off (model)" },
  { title: "enabled: false with numbers", block: { ...two, enabled: false }, fetch: "off (model)", create: "off (model)", rest: "off (model)" },
  { title: "an entry, and nothing for the others", block: { create: { ...two, per: "model" } }, fetch: byDefault, create: "2 in 10 per model (entry)",
    rest: byDefault },
  { title: "an entry, and a default for the others", block: { create: two, default: { max_requests: 5, window_seconds: 1, per: "user" } },
    fetch: "5 in 1 per user (default)", create: "2 in 10 per ip (entry)", rest: "5 in 1 per user (default)" },
  { title: "an entry that is switched off, and a default", block: { fetch: { enabled: false }, default: two }, fetch: "off (entry)",
    create: "2 in 10 per ip (default)", rest: "2 in 10 per ip (default)" },
  { title: "a default that is switched off, and an entry", block: { fetch: { ...two, enabled: true }, default: { enabled: false } },
    fetch: "2 in 10 per ip (entry)", create: "off (default)", rest: "off (default)" },
  { title: "limits switched off in the manifest, which models keep for the day when they are on", block: { create: two },
    manifest: { rate_limit: { enabled: false } }, fetch: byDefault, create: "2 in 10 per ip (entry)", rest: byDefault },
];

function text({ origin, limit }: LimitDefinition): string {
  return limit === null
    ? `off (${origin})`
    : `${limit.maxRequests} in ${limit.windowSeconds} per ${limit.per} (${origin})`;
}

test.each(cases)("$title", async ({ block, manifest = {}, fetch, create, rest }) => {
  const books = { fields: {}, access: { fetch: [{ role: "*" }] }, ...(block && { rate_limit: block }) };
  const { definition, diagnostics } = await loadFiles({
    "models.json": { books },
    "manifest.json": manifest,
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const limits = definition?.models.find(({ key }) => key === "books")?.limits;
  const expected = (operation: Operation) => ({ fetch, create })[String(operation)] ?? rest;
  expect(operations.map((operation) => limits && `${operation}: ${text(limits[operation])}`)).toEqual(
    operations.map((operation) => `${operation}: ${expected(operation)}`),
  );
});

test("the service knows the default, and which of its numbers the manifest sets", async () => {
  const rateLimits = async (section: object) =>
    (await loadFiles({ "manifest.json": { rate_limit: section } })).definition?.rateLimits;
  expect(await rateLimits({})).toEqual({
    source: "manifest.json",
    enabled: true,
    default: { maxRequests: 100, windowSeconds: 60 },
    declared: [],
  });
  expect(await rateLimits({ enabled: false, default_window_seconds: 5 })).toEqual({
    source: "manifest.json",
    enabled: false,
    default: { maxRequests: 100, windowSeconds: 5 },
    declared: ["default_window_seconds"],
  });
});
