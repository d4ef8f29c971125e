import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "./import-graph.ts";

const root = join(import.meta.dirname, "..", "..");

/** Packages that are loaded with the first mail, phone number, file, provider's JWT and the like. */
// biome-ignore format: many a line
const deferred = [
  "@aws-sdk/client-s3", "@aws-sdk/lib-storage", "@aws-sdk/s3-request-presigner", "@modelcontextprotocol/node", "@modelcontextprotocol/server", "@node-saml/node-saml", "@opentelemetry/api", "@shopify/shopify-api", "@simplewebauthn/server",
  "@simplewebauthn/server/helpers", "@tus/file-store", "@tus/server", "better-sqlite3",
  "file-type", "google-auth-library", "handlebars", "ioredis", "jose", "knex", "kysely", "libphonenumber-js", "multer", "nodemailer",
  "nodemailer/lib/addressparser", "prom-client", "rate-limiter-flexible", "re2js", "saxes", "sharp", "speakeasy", "yaml",
];

/** The modules and packages that a file imports statically, without types. */
function loadedWith(path: string): string[] {
  const imports = textOf(path).matchAll(/^(?:import|export) (?!type\b)[^;]*?from "([^"]+)";/gm);
  return [...imports].map(([, name = ""]) => {
    if (name.startsWith("#")) return `${name.slice(1)}.ts`;
    return name.startsWith(".") ? join(dirname(path), name) : name;
  });
}

const isModule = (name: string) => /^(cli|generator|runtime|schemas|vocabulary)\//.test(name);

test("no file of the runtime imports them statically, except for types", () => {
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
  // These files are loaded with the first request of MCP, only if SERVICE_REDIS_URL is set, or only by apps with Kysely.
  expect(loading).toEqual([
    "runtime/api/mcp/mcp-endpoint.ts: @modelcontextprotocol/node",
    "runtime/api/mcp/mcp-endpoint.ts: @modelcontextprotocol/server",
    "runtime/api/mcp/mcp-server.ts: @modelcontextprotocol/server",
    "runtime/core/cache/timed-redis.ts: ioredis",
    "runtime/data/kysely/make-kysely.ts: kysely",
  ]);
});

/** The files and packages that entry files load, directly or not. */
function loadedBy(...entries: string[]): {
  readonly modules: readonly string[];
  readonly packages: readonly string[];
} {
  const modules = new Set(entries);
  const packages = new Set<string>();
  for (const path of modules)
    for (const name of loadedWith(path)) {
      if (isModule(name)) modules.add(name);
      else if (!name.startsWith("node:")) packages.add(name);
    }
  return { modules: [...modules], packages: [...packages].sort() };
}

const start = loadedBy("runtime/index.ts", "runtime/process/start.ts");

test("a service starts with these packages; others are loaded by the first request that needs them", () => {
  // biome-ignore format: many a line
  expect(start.packages).toEqual([
    "ajv", "ajv/dist/2019.js", "bcrypt", "content-disposition", "cors", "express", "helmet", "jsonwebtoken", "lossless-json", "pg", "pg-protocol",
    "pino", "postgres-array", "validator/lib/isEmail.js",
  ]);
});

/** The files that some files load, directly or not. */
function reachedFrom(...modules: readonly string[]): string[] {
  const loaded = new Set(modules);
  for (const path of loaded) if (path.endsWith(".ts")) for (const name of loadedWith(path)) loaded.add(name);
  return [...loaded];
}

test("a command without flags loads no other command and no parser of flags", () => {
  const large = /^(yargs|generator\/|runtime\/)/;
  expect(reachedFrom("cli/kirak.ts").filter((path) => large.test(path))).toEqual([]);
  expect(reachedFrom("cli/kirak.ts").filter((path) => path.startsWith("cli/commands/"))).toEqual([]);
  const served = reachedFrom("cli/commands/start.ts", "cli/commands/worker.ts", "cli/app/load-service.ts");
  expect(
    served.filter((path) =>
      /^(yargs$|generator\/(?!packages\/)|cli\/(command-line|init|generate)\b)/.test(path),
    ),
  ).toEqual([]);
  expect(served).toContain("cli/app/app-module.ts");
  const quick = reachedFrom("cli/commands/generate.ts");
  expect(
    quick.filter((path) => /^(yargs$|ts-morph|runtime\/|generator\/(pipeline|emit)\/)/.test(path)),
  ).toEqual([]);
});

test("a service starts without the storage module: the first request for a file loads it", () => {
  expect(start.modules).toContain("runtime/server/server.ts");
  expect(start.modules.filter((path) => path.startsWith("runtime/modules/storage/"))).toEqual([]);
});

test("a service starts without the protocols of social sign-in: the first sign-in loads its provider's protocol", () => {
  const protocols = start.modules.filter((path) =>
    /^runtime\/modules\/auth\/social\/(protocols|mobile|facebook)/.test(path),
  );
  const always = ["index", "key-sets", "browser-parameters"];
  expect(protocols.sort()).toEqual(
    always.map((name) => `runtime/modules/auth/social/protocols/${name}.ts`).sort(),
  );
});

test("a service starts without the code that answers GraphQL: the first request loads it", () => {
  expect(start.modules.filter((path) => path.startsWith("runtime/api/graphql/"))).toEqual([
    "runtime/api/graphql/index.ts",
    "runtime/api/graphql/graphql-route.ts",
    "runtime/api/graphql/plan/model-registry.ts",
    "runtime/api/graphql/response.ts",
  ]);
});
