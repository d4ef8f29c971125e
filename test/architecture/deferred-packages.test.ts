import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "./import-graph.ts";

const root = join(import.meta.dirname, "..", "..");

/** Packages that a service has no need of before somebody sends a mail, a phone number, a file, a JWT of a provider and the like. */
const deferred = [
  "@aws-sdk/client-s3",
  "@aws-sdk/s3-request-presigner",
  "@node-saml/node-saml",
  "@shopify/shopify-api",
  "better-sqlite3",
  "file-type",
  "google-auth-library",
  "handlebars",
  "ioredis",
  "jose",
  "knex",
  "libphonenumber-js",
  "multer",
  "nodemailer",
  "prom-client",
  "rate-limiter-flexible",
  "saxes",
  "sharp",
];

/** What a module loads with itself, types apart. */
function loadedWith(path: string): string[] {
  const imports = textOf(path).matchAll(/^(?:import|export) (?!type\b)[^;]*?from "([^"]+)";/gm);
  return [...imports].map(([, name = ""]) => name);
}

test("no module of the runtime loads them with itself: only their types are imported", () => {
  const modules = ["runtime", "vocabulary"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${top}/${name}`),
  );
  const loading = modules.flatMap((path) =>
    loadedWith(path)
      .filter((name) => deferred.includes(name))
      .map((name) => `${path}: ${name}`),
  );
  // Is itself loaded where somebody has set SERVICE_REDIS_URL.
  expect(loading).toEqual(["runtime/cache/timed-redis.ts: ioredis"]);
});

test("a service starts without the storage module: the first who has to do with a file loads it", () => {
  const loaded = new Set(["runtime/index.ts", "runtime/start.ts"]);
  for (const path of loaded)
    for (const name of loadedWith(path)) if (name.startsWith(".")) loaded.add(join(dirname(path), name));
  expect(loaded).toContain("runtime/server.ts");
  expect([...loaded].filter((path) => path.startsWith("runtime/storage/"))).toEqual([]);
});
