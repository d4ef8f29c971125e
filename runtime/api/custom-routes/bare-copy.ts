import { isJsonObject } from "../../../vocabulary/json.ts";

/** A copy of a JSON value whose objects have no prototype: nothing is in them but what was sent. */
export function bareCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareCopy);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) copy[key] = bareCopy(item);
  return copy;
}
