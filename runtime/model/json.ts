/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object as it came in a body: nothing is known of its values yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is a JSON object: no list, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
