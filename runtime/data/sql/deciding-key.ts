import type { Model } from "../../models/index.ts";

/** The first unique key, primary key first, of which the record holds every field; undefined when there is none. */
export function decidingKey(
  model: Model,
  data: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const keys = [...model.uniqueKeys].sort(
    (a, b) => Number(a.fields.length > 1) - Number(b.fields.length > 1),
  );
  const candidates = [["id"], ...keys.map((key) => key.fields)];
  return candidates.find((fields) =>
    fields.every((name) => Object.hasOwn(data, name) && data[name] !== null),
  );
}
