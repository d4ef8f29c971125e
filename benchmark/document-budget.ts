import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ServiceDefinition } from "#generator/definition/definition";
import { openApiDocument } from "#generator/emit/openapi/document";
import { printDocument } from "#generator/emit/openapi/print-document";
import { readDefinition } from "#generator/pipeline/generate";
import { median } from "./measure.ts";

/** The OpenAPI document of an app. */
export interface DocumentFigures {
  readonly models: number;
  /** In bytes. */
  readonly size: number;
  readonly zipped: number;
  /** Seconds of the processor that making its text takes in a run of the generator. */
  readonly seconds: number;
}

/** Measures the document of so many models of 12 fields, with all operations; its time is a median of some. */
export async function documentFigures(
  root: string,
  models: number,
  rounds: number,
): Promise<DocumentFigures> {
  const definition = await definitionOf(root, models);
  const times: number[] = [];
  let text = "";
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    text = printDocument(openApiDocument(definition));
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1e6);
  }
  const bytes = Buffer.from(text);
  return { models, size: bytes.length, zipped: gzipSync(bytes).length, seconds: median(times) };
}

async function definitionOf(root: string, count: number): Promise<ServiceDefinition> {
  const folder = join(root, "var", "benchmark", `document-${count}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const models = Object.fromEntries(Array.from({ length: count }, (_, at) => [`entries_${at}`, modelAt(at)]));
  writeFileSync(join(folder, "models.json"), JSON.stringify(models));
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ name: "budget" }));
  const places = { models: "models.json", manifest: "manifest.json" };
  const { definition, diagnostics } = await readDefinition({ root: folder, ...places });
  if (definition === null)
    throw new Error(`the models are invalid: ${JSON.stringify(diagnostics.slice(0, 3))}`);
  return definition;
}

/** Twelve fields of the usual types, and each operation for three roles. */
function modelAt(at: number) {
  const own = { role: "user", condition: "owner_id = {user_id}" };
  const roles = [own, { role: "staff" }, { role: "admin" }];
  return {
    description: "An entry of the benchmark.",
    soft_delete: true,
    fields: {
      owner_id: { type: "integer", required: true },
      title: { type: "string", required: true, max_length: 200, searchable: true },
      body: { type: "text", searchable: true },
      status: { type: "string", required: true, enum: ["draft", "published", "archived"], default: "draft" },
      price: { type: "decimal", precision: 10, scale: 2, minimum: "0" },
      quantity: { type: "integer", minimum: 0 },
      weight: { type: "float" },
      visible: { type: "boolean", required: true, default: true },
      published_at: { type: "datetime" },
      due_on: { type: "date" },
      contact: { type: "email" },
      parent_id: {
        type: "belongs_to",
        relationship: { model: `entries_${Math.floor(at / 2)}`, on_delete: "set_null" },
      },
    },
    access: Object.fromEntries(
      [
        "fetch",
        "search",
        "count",
        "exists",
        "create",
        "update",
        "upsert",
        "delete",
        "destroy",
        "restore",
      ].map((operation) => [operation, roles]),
    ),
  };
}
