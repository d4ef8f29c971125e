import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { repository } from "../../../test/generator/support/project.ts";
import { shopService } from "../shop-service.ts";
import { type ClientSnippet, clientSnippets } from "./graphql-snippets.ts";

// What developers meet who take a client from docs/graphql-clients.md.
const { origin, call } = await shopService(400, { SERVICE_SET_RATE_LIMIT__DEFAULT_WINDOW_SECONDS: "3600" });

// Below the repository, where a module finds its packages.
mkdirSync(join(repository, "var"), { recursive: true });
const folder = mkdtempSync(join(repository, "var", "graphql-clients-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

/** Words of a snippet, and what a test puts in their place. */
type Replacement = readonly [from: string, to: string];

/** Runs a snippet with other words in it, and gives its data and what it tells of an error. */
async function run({ name, text }: ClientSnippet, words: readonly Replacement[] = []) {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const module = [["https://api.example.com", origin] as const, ...words].reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replaceAll(from, to);
  }, text);
  const path = join(folder, `${name}-${words.flat().join()}.ts`.replace(/\W+/g, "-").replace(/-ts$/, ".ts"));
  writeFileSync(path, `${module}\nexport { data };\n`);
  const { data }: { data: unknown } = await import(/* @vite-ignore */ pathToFileURL(path).href);
  return { data, told: told.mock.calls };
}

/** How each client is made to use GET. */
const usingGet: Readonly<Record<string, Replacement>> = {
  "@apollo/client": ['/graphql" }', '/graphql", useGETForQueries: true }'],
  "apollo-client-3/core/index.js": ["headers, fetch: read", "headers, fetch: read, useGETForQueries: true"],
  "@urql/core": [", preferGetMethod: false", ""],
  "graphql-request": ['/graphql")', '/graphql", { method: "GET" })'],
};

beforeAll(async () => {
  const roots = Array.from({ length: 20 }, (_, at) => `a${at}: authors(limit: 1) { id }`).join(" ");
  for (let sent = 0; sent < 100; sent += 20) await call("POST /graphql", null, { query: `{ ${roots} }` });
});

test("the docs show each client", () => {
  expect(clientSnippets.map(({ name }) => name).sort()).toEqual(Object.keys(usingGet).sort());
});

describe.each(clientSnippets)("$name", (snippet) => {
  test("gets data", async () => {
    const { data, told } = await run(snippet);
    expect(told).toEqual([]);
    expect(data).toMatchObject({ books: [{ title: expect.any(String) }] });
  });

  // biome-ignore format: one case a line
  test.each<[string, Replacement, message: unknown, code: string]>([
    ["400", ["title", "nothing"], "nothing: is not a field", "VALIDATION_ERROR"],
    ["403", ["title", "cost"], "Your role may not read the field cost.", "PERMISSION_DENIED"],
    ["405", usingGet[snippet.name] ?? ["", ""], "This path accepts only POST.", "HTTP_ERROR"],
    ["429", ["books(limit: 1) { title", "authors { id"], expect.stringMatching(/^Too many/), "RATE_LIMIT_EXCEEDED"],
  ])("sees the message and the code of a %s", async (_, words, message, code) => {
    const { data, told } = await run(snippet, [words]);
    expect(told).toEqual([[message, code]]);
    expect(data ?? null).toBeNull();
  });
});
