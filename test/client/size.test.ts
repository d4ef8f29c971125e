import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { clientText } from "#generator/emit/client/client";
import { openApiDocument } from "#generator/emit/openapi/document";
import { operations } from "#vocabulary/operations";
import { access, service as definition, field, model, rule } from "../generator/support/definitions.ts";

const everyone = access(Object.fromEntries(operations.map((operation) => [operation, [rule("*")]])));

/** Bytes of a client, minified and compressed, of a service with these models with all operations. */
function sizeOf(...keys: readonly string[]): number {
  const models = keys.map((key) =>
    model(key, { softDelete: true, access: everyone, fields: [field("title", { searchable: true })] }),
  );
  const text = clientText(openApiDocument({ ...definition(...models), administration: false }));
  const { code } = transformSync(text, { loader: "ts", format: "esm", minify: true, target: "es2022" });
  return gzipSync(code, { level: 9 }).length;
}

const keys = ["books", "authors", "customers", "orders", "order_items", "shipments", "reviews", "gift_cards"];

test("a client has at most 5,000 bytes with one model, minified and with gzip", () => {
  expect(sizeOf("books")).toBeLessThanOrEqual(5_000);
});

test("each further model has at most 60 bytes", () => {
  expect(sizeOf(...keys) - sizeOf("books")).toBeLessThanOrEqual(60 * (keys.length - 1));
});
