import { invalid } from "../../../../errors/index.ts";

/** Parameters by name. Errors: 400 `VALIDATION_ERROR` for a parameter that is sent twice: its two readers could differ. */
export function singleValues(parameters: URLSearchParams): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (values.has(name)) throw invalid([{ field: name, message: "is sent more than once" }]);
    values.set(name, value);
  }
  return values;
}
