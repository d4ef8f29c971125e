import type { Components, Entries, OpenApiDocument } from "./document.ts";

/** The document without components that no operation refers to. */
export function withUsedComponents(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const pointer of referencesIn(value)) {
      if (used.has(pointer)) continue;
      used.add(pointer);
      visit(at(components, pointer));
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

/** The `$ref`s of a value, at any depth. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === "$ref" && typeof child === "string" ? [child] : referencesIn(child),
  );
}
