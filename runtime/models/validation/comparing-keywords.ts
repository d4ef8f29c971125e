import type { Json } from "../../../vocabulary/json.ts";
import { wordedKeyword } from "./worded-keyword.ts";

/**
 * `const`, `enum` and `uniqueItems`, which ajv compares by a function that takes what stands under `valueOf` for a method, and
 * compares each element with each other one: values come from strangers.
 */
export const comparingKeywords = [
  wordedKeyword("const", [], (allowed: Json) => oneOf([allowed])),
  wordedKeyword("enum", [], (allowed: readonly Json[]) => oneOf(allowed)),
  wordedKeyword("uniqueItems", "array", (unique: boolean) => (list: readonly Json[]) => {
    const seen = new Map<string, number>();
    for (const [index, element] of unique ? list.entries() : []) {
      const first = seen.get(textOf(element));
      if (first !== undefined) return `must not hold the same twice, as at [${first}] and [${index}]`;
      seen.set(textOf(element), index);
    }
    return null;
  }),
];

function oneOf(allowed: readonly Json[]): (value: Json) => string | null {
  const texts = new Set(allowed.map(textOf));
  const words = allowed.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const message = words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(", ")}`;
  return (value) => (texts.has(textOf(value)) ? null : message);
}

/** One text for values that are the same, in whichever order their keys stand. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`);
  return `{${entries.sort().join()}}`;
}
