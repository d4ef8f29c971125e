import type { Json } from "../../../vocabulary/json.ts";
import { type Diagnostic, isSilenceable } from "../../diagnostics/index.ts";

type JsonObject = { readonly [key: string]: Json };

/** The reason of each `lint_ignore` that an introspection writes. */
const reason = "as found";

/** The models with a `lint_ignore` for each finding. `text` is the models file of the findings, formatted. */
export function withIgnores(
  models: { readonly [key: string]: Json },
  diagnostics: readonly Diagnostic[],
  text: string,
): { readonly [key: string]: Json } {
  const codes = new Map<string, Set<string>>();
  const lines = text.split("\n");
  for (const { code, line, severity } of diagnostics) {
    const key = severity === "error" || !isSilenceable(code) ? null : modelAt(lines, line);
    if (key === null) continue;
    codes.set(key, (codes.get(key) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    Object.entries(models).map(([key, model]) => {
      const found = [...(codes.get(key) ?? [])].toSorted();
      if (found.length === 0 || !isObject(model)) return [key, model];
      return [key, { ...model, lint_ignore: Object.fromEntries(found.map((code) => [code, reason])) }];
    }),
  );
}

/** The key of the model that a line belongs to; null before the first model. */
function modelAt(lines: readonly string[], line: number): string | null {
  for (let index = line - 1; index >= 0; index--) {
    const key = /^ {2}"(\w+)": \{/.exec(lines[index] ?? "")?.[1];
    if (key !== undefined) return key;
  }
  return null;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
