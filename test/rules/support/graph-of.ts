import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { checkService } from "#generator/check/index";
import { createReporter } from "#generator/diagnostics/index";
import { loadInputs } from "#generator/load/index";
import { buildGraph, type ModelGraph } from "#generator/resolve/model-graph";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type Kind, type Link, ownFields, type Shape, type Shapes } from "./shapes.ts";

/** The models as the generator reads them from a file. */
export async function graphOf(shapes: Shapes): Promise<ModelGraph> {
  const root = temporaryFolder("kirak-rules-");
  mkdirSync(join(root, "models"));
  writeFileSync(join(root, "models/models.json"), JSON.stringify(modelsFileOf(shapes)));
  writeFileSync(join(root, "models/manifest.json"), JSON.stringify({ name: "rules" }));
  const { report, findings, hasErrors } = createReporter();
  const places = { root, models: "models/models.json", manifest: "models/manifest.json" };
  const loaded = await loadInputs(places, report);
  const graph = buildGraph(loaded.models);
  checkService({ ...loaded, graph, report });
  expect(hasErrors(), JSON.stringify(findings())).toBe(false);
  return graph;
}

/** The models as a models file declares them. */
export function modelsFileOf(shapes: Shapes): object {
  return Object.fromEntries(Object.values(shapes).map((shape) => [shape.key, modelOf(shape)]));
}

function modelOf(shape: Shape): object {
  const { key, id, softDelete, links } = shape;
  const columns = ownFields(shape).map(([name, kind]) => [name, columnOf(name, kind, Object.values(links))]);
  const collections = Object.entries(links)
    .filter(([, { kind }]) => kind !== "belongs_to")
    .map(([name, { kind, model, references }]) => [
      name,
      { type: kind, relationship: { model, foreign_key: references } },
    ]);
  const settings =
    key === "users" ? {} : { id_type: id === "uuid" ? "uuid" : "integer", soft_delete: softDelete };
  return { ...settings, fields: Object.fromEntries([...columns, ...collections]) };
}

function columnOf(name: string, kind: Kind, links: readonly Link[]): object {
  const link = links.find((one) => one.kind === "belongs_to" && one.field === name);
  if (link !== undefined)
    return { type: "belongs_to", relationship: { model: link.model, foreign_key: link.references } };
  const type = kind.replace(/^int64/, "bigint");
  const size = kind.startsWith("decimal") ? { precision: 12, scale: 2 } : {};
  return name === "code" ? { type, required: true, unique: true } : { type, ...size };
}
