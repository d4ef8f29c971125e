/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object as it came in a body: nothing is known of its values yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is a JSON object: no list, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a value is an object as JSON has them, all of which is in its own keys: no instance of a class, no Map, nothing
 * under a symbol.
 */
export function isPlainObject(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of ordinary objects has this of its own, in whichever context of the engine they were made.
  const isOrdinary = isJsonObject(prototype) && Object.hasOwn(prototype, "isPrototypeOf");
  return (prototype === null || isOrdinary) && Reflect.ownKeys(value).length === Object.keys(value).length;
}

/** Whether a value is an object whose JSON is its own keys: also one of a class of someone's, but no promise, Map or Date. */
export function isRecord(value: unknown): value is JsonObject {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function hasJson(item: unknown): boolean {
  if (typeof item === "number") return Number.isFinite(item);
  if (typeof item === "object") return item === null || Array.isArray(item) || isRecord(item);
  return typeof item === "string" || typeof item === "boolean" || typeof item === "bigint";
}

/**
 * The JSON text of a value that someone's code made; a BigInt is a number with all its digits. Errors: `TypeError` where
 * something in it has none, and would be left out or be read as something else: a function, a symbol, a gap in a list, a
 * number that is not one, an object of the language's own that does not say what its JSON is, such as a promise or a Map.
 */
export function jsonText(value: unknown): string {
  let hasBigInt = false;
  const text: unknown = JSON.stringify(value, function (this: unknown, key: string, item: unknown) {
    const isLost = item === undefined ? Array.isArray(this) : !hasJson(item);
    if (isLost) throw new TypeError(`${typeof item} under "${key}" has no JSON`);
    if (typeof item !== "bigint") return item;
    hasBigInt = true;
    return 0;
  });
  if (typeof text !== "string") throw new TypeError(`${typeof value} has no JSON`);
  return hasBigInt ? exactText(value) : text;
}

/** The JSON text of a JSON value in which whole numbers beyond 2^53 - 1 are BigInts. */
export function exactText(value: unknown): string {
  return holdsBigInt(value) ? textOf(value) : JSON.stringify(value);
}

function textOf(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (hasOwnJson(value)) return textOf(value.toJSON());
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`).join()}}`;
}

function holdsBigInt(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsBigInt);
}

function hasOwnJson(value: unknown): value is { toJSON(): unknown } {
  return isRecord(value) && typeof value["toJSON"] === "function";
}
