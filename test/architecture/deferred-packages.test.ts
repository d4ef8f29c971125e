import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** Packages that a service has no need of before somebody sends a mail, a phone number, a file, a JWT of a provider and the like. */
const deferred = [
  "@aws-sdk/client-s3",
  "@aws-sdk/s3-request-presigner",
  "@node-saml/node-saml",
  "@shopify/shopify-api",
  "file-type",
  "google-auth-library",
  "handlebars",
  "ioredis",
  "jose",
  "knex",
  "libphonenumber-js",
  "multer",
  "nodemailer",
  "rate-limiter-flexible",
  "saxes",
  "sharp",
];

test("no module of the runtime loads them with itself: only their types are imported", () => {
  const modules = ["runtime", "vocabulary"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${top}/${name}`),
  );
  const loading = modules.flatMap((path) => {
    const imports = readFileSync(join(root, path), "utf8").matchAll(
      /^(?:import|export) (?!type\b)[^;]*?from "([^"]+)";/gm,
    );
    return [...imports]
      .filter(([, name = ""]) => deferred.includes(name))
      .map(([, name]) => `${path}: ${name}`);
  });
  // Is itself loaded where somebody has set SERVICE_REDIS_URL.
  expect(loading).toEqual(["runtime/cache/timed-redis.ts: ioredis"]);
});
