import type { Kind, Link, Shape, Shapes } from "./shapes.ts";

/** The models file of a world. */
export function modelsFile(shapes: Shapes): object {
  return Object.fromEntries(Object.values(shapes).map((shape) => [shape.key, modelOf(shape)]));
}

const builtIn = new Set(["role", "is_active", "is_verified"]);

function modelOf({ key, id, softDelete, fields, links }: Shape): object {
  const own = Object.entries(fields).filter(([name]) => key !== "users" || !builtIn.has(name));
  const columns = own.map(([name, kind]) => [name, columnOf(name, kind, Object.values(links))]);
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
