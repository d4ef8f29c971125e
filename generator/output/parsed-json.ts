import type { Json } from "../../vocabulary/json.ts";

/** Reads JSON that the generator wrote itself. Anything else, the marks of a merge for example, counts as null. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A value as it reads back from a JSON file: `-0`, for one, is 0 there, and every object has a prototype. */
export function asStored<Value extends Json>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
