import { isJsonObject } from "../json.ts";
import type { Components, Entries, OpenApiDocument } from "./document.ts";

const modelSuffixes = ["", "Input", "Create", "Update", "Upsert", "Restore", "Filter", "Field"];

/**
 * The document without components that no operation refers to. With `keepsGates`, the `…Part` of each described model stays: it has
 * the gates of the fields, from which `roleDocument` knows what to leave out.
 */
export function withUsedComponents(document: OpenApiDocument, keepsGates = false): OpenApiDocument {
  const { components } = document;
  const maps: Entries<Entries<unknown>> = { ...components };
  const used = new Set<string>();
  /** Responses of operations, which share them. */
  const shared = new Set<unknown>();
  // Without lists of entries and references: a document of 1,000 models has a million values.
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const child of value) visit(child);
    else if (isJsonObject(value))
      for (const key in value) {
        const child = value[key];
        if (key === "$ref" && typeof child === "string") follow(child);
        else if (typeof child === "object" && !shared.has(child)) visit(child);
        if (key === "responses") shared.add(child);
      }
  };
  const follow = (pointer: string): void => {
    if (used.has(pointer)) return;
    used.add(pointer);
    const [, , map = "", name = ""] = pointer.split("/");
    visit(maps[map]?.[name]);
  };
  visit(document.paths);
  for (const [name, schema] of keepsGates ? Object.entries(components.schemas) : []) {
    if (!isJsonObject(schema) || !("x-kirak-model" in schema)) continue;
    const model = `#/components/schemas/${name.replace(/Part$/, "")}`;
    if (modelSuffixes.some((suffix) => used.has(model + suffix))) follow(`${model}Part`);
  }
  const only = <Value>(map: keyof Components, entries: Entries<Value>): Entries<Value> => {
    const kept: Record<string, Value> = {};
    for (const [name, entry] of Object.entries(entries))
      if (used.has(`#/components/${map}/${name}`)) kept[name] = entry;
    return kept;
  };
  return {
    ...document,
    components: {
      ...components,
      schemas: only("schemas", components.schemas),
      responses: only("responses", components.responses),
      parameters: only("parameters", components.parameters),
      headers: only("headers", components.headers),
    },
  };
}
