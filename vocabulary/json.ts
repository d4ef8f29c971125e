/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object with unknown values, such as a parsed body. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is an object, neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy of a value of JSON. Other values become null. */
export function jsonCopy(value: unknown): Json {
  if (Array.isArray(value)) return value.map(jsonCopy);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonCopy(one)]));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

/**
 * Whether a value is a plain object: not an instance of a class, not a Map, and without symbol keys. Its own
 * string keys then hold all its data.
 */
export function isPlainObject(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Object.prototype of every realm has this property; other prototypes do not.
  const isOrdinary = isJsonObject(prototype) && Object.hasOwn(prototype, "isPrototypeOf");
  return (prototype === null || isOrdinary) && Reflect.ownKeys(value).length === Object.keys(value).length;
}

/**
 * Whether the JSON of a value has its own keys. It is a plain object or one of an app's class, but not a
 * promise, Map or Date.
 */
export function isRecord(value: unknown): value is JsonObject {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function hasJson(item: unknown): boolean {
  if (typeof item === "number") return Number.isFinite(item);
  if (typeof item === "object") return item === null || Array.isArray(item) || isRecord(item);
  return typeof item === "string" || typeof item === "boolean" || typeof item === "bigint";
}

/**
 * The JSON text of a value from the app's code. A BigInt becomes a number with all its digits. Throws a
 * TypeError for a part that JSON.stringify would drop or change: a function, a symbol, a gap in a list, NaN,
 * Infinity, or a built-in object without `toJSON`, such as a Map.
 */
export function jsonText(value: unknown): string {
  let hasBigInt = false;
  const text: unknown = JSON.stringify(value, function (this: unknown, key: string, item: unknown) {
    const isLost = item === undefined ? Array.isArray(this) : !hasJson(item);
    if (isLost) throw new TypeError(`the ${typeof item} at "${key}" cannot be JSON`);
    if (typeof item !== "bigint") return item;
    hasBigInt = true;
    return 0;
  });
  if (typeof text !== "string") throw new TypeError(`a value of type ${typeof value} cannot be JSON`);
  return hasBigInt ? exactText(value) : text;
}

/** The JSON text of a JSON value in which integers above 2^53 - 1 are BigInts. */
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
