import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { defaults } from "#generator/definition/defaults";
import { declarableCode } from "#vocabulary/error-codes";
import { defaultDocsPath } from "#vocabulary/openapi/document-paths";
import { operations } from "#vocabulary/operations";
import { storageProviders } from "#vocabulary/storage";

const root = join(import.meta.dirname, "../../..");

function read(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

/** The places of all properties without a description. */
function undescribed(schema: unknown, definitions: Record<string, unknown>, path: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (key !== "properties" || typeof value !== "object" || value === null)
      return undescribed(value, definitions, `${path}/${key}`);
    return Object.entries(value).flatMap(([name, property]: [string, unknown]) => [
      ...(isDescribed(property, definitions) ? [] : [`${path}/${name}`]),
      ...undescribed(property, definitions, `${path}/${name}`),
    ]);
  });
}

function isDescribed(property: unknown, definitions: Record<string, unknown>): boolean {
  if (typeof property !== "object" || property === null) return false;
  if ("description" in property) return true;
  const reference = "$ref" in property ? String(property.$ref).replace("#/definitions/", "") : "";
  return reference !== "" && isDescribed(definitions[reference], {});
}

describe.each(["models", "manifest"])("schemas/%s.schema.json", (name) => {
  const schema = read(`schemas/${name}.schema.json`);

  test("accepts the example app", () => {
    const validate = new Ajv({ allErrors: true, useDefaults: true, allowUnionTypes: true }).compile(schema);
    validate(read(`models/${name}.json`));
    expect(validate.errors).toBe(null);
  });

  test("describes every key", () => {
    const definitions = schema["definitions"] as Record<string, unknown>;
    expect(undescribed(schema, definitions, "")).toEqual([]);
  });
});

test.each(["access-acknowledged", "errors"])("schemas/%s.schema.json describes every key", (name) => {
  expect(undescribed(read(`schemas/${name}.schema.json`), {}, "")).toEqual([]);
});

test("editors know which codes an app may declare", () => {
  const names = declarableCode.source.slice(1, -1);
  const schema = read("schemas/errors.schema.json");
  expect(schema).toHaveProperty("propertyNames.pattern", `^(\\$schema|${names})$`);
});

test("the access block and rate limits know the ten operations", () => {
  const schema = read("schemas/models.schema.json");
  expect(schema).toHaveProperty("definitions.access.properties");
  for (const operation of operations) {
    expect(schema).toHaveProperty(`definitions.access.properties.${operation}`);
    expect(schema).toHaveProperty(`definitions.rateLimit.properties.${operation}`);
  }
});

test("the manifest knows the storage providers that there are", () => {
  const schema = read("schemas/manifest.schema.json");
  const known = Object.keys(storageProviders);
  expect(schema).toHaveProperty("properties.storage.properties.provider.enum", known);
});

test("the defaults are the same for the generator, for editors and for the runtime", () => {
  const [manifest, models] = [read("schemas/manifest.schema.json"), read("schemas/models.schema.json")];
  const limits = "properties.rate_limit.properties";
  const provider = "properties.storage.properties.provider";
  expect(manifest).toHaveProperty("properties.name.default", defaults.serviceName);
  expect(manifest).toHaveProperty("properties.auth_prefix.default", defaults.authPrefix);
  expect(manifest).toHaveProperty("properties.docs.properties.version.default", defaults.docsVersion);
  expect(manifest).toHaveProperty("properties.docs.properties.path.default", defaultDocsPath);
  expect(manifest).toHaveProperty("properties.storage.properties.slug.default", defaults.storageSlug);
  expect(manifest).toHaveProperty(`${provider}.default`, defaults.storageProvider);
  expect(manifest).toHaveProperty(`${limits}.default_max_requests.default`, defaults.limit.maxRequests);
  expect(manifest).toHaveProperty(`${limits}.default_window_seconds.default`, defaults.limit.windowSeconds);
  expect(models).toHaveProperty("definitions.model.properties.max_limit.default", defaults.maxLimit);
});
