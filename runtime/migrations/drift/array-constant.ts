import { parse } from "postgres-array";
import { canonicalNumber } from "./canonical-number.ts";

/**
 * An array that stands as one constant, `'{a,b}'::text[]`, as one that was written element by element, without casts:
 * `ARRAY['a','b']`. `cast` is what follows the constant; null where it is no array.
 */
export function arrayConstant(constant: string, cast: string): string | null {
  const type = /^::([^[]*)\[\]/.exec(cast)?.[1];
  if (type === undefined || !/^'\{.*\}'$/s.test(constant)) return null;
  const elements: unknown[] = parse(constant.slice(1, -1).replaceAll("''", "'"), (text) =>
    element(text, type),
  );
  return `ARRAY[${elements.map((one) => one ?? "NULL").join(",")}]`;
}

function element(text: string, type: string): string {
  if (type === "boolean") return text === "t" ? "true" : "false";
  return canonicalNumber(text, type) ?? `'${text.replaceAll("'", "''")}'`;
}
