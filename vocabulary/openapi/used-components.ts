import type { Components, Entries, OpenApiDocument } from "./document.ts";

/** The document without components that no operation refers to. */
export function withUsedComponents(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const used = new Set<string>();
  // Without lists of references: a document of 1,000 models has a million values.
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (key !== "$ref" || typeof child !== "string") visit(child);
      else if (!used.has(child)) {
        used.add(child);
        visit(at(components, child));
      }
    }
  };
  visit(document.paths);
  const only = <Value>(map: keyof Components, entries: Entries<Value>): Entries<Value> =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`#/components/${map}/${name}`)));
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

function at(components: Components, pointer: string): unknown {
  const [, , map = "", name = ""] = pointer.split("/");
  const maps: Entries<Entries<unknown>> = { ...components };
  return maps[map]?.[name];
}
