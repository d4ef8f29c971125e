import type { Ajv, ErrorObject } from "ajv";
import type { DecimalSize } from "../../../vocabulary/fields/exact-numbers.ts";
import type { ElementKind } from "../../../vocabulary/fields/field-kinds.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { elementValue } from "../answered-values.ts";
import { wordedKeyword } from "./worded-keyword.ts";

type Scalar = string | number | boolean;

/** The keyword `distinct` of validators: elements of a kind are the same by value, as the decimals 1.5 and 1.50 are. */
export const distinctKeyword = wordedKeyword(
  "distinct",
  "array",
  (kind: ElementKind, siblings) => (list: Scalar[]) => {
    const size: DecimalSize | null = siblings["items"]?.decimal ?? null;
    const seen = new Map<unknown, number>();
    for (const [index, element] of list.entries()) {
      const value = elementValue(kind, element, size);
      const first = seen.get(value);
      if (first !== undefined) return `must not hold the same twice, as at [${first}] and [${index}]`;
      seen.set(value, index);
    }
    return null;
  },
);

/**
 * A keyword whose schema is that of a list. Of each list one problem is told, the first, since a list could have as many as
 * it has elements; `first` stops there, and `describe` says it.
 */
export function listKeyword(first: Ajv, describe: (error: ErrorObject) => string) {
  return wordedKeyword("list", ["array"], (schema: { [key: string]: Json }) => {
    const validate = first.compile(schema);
    return (list: Json[]) => {
      const [error] = validate(list) ? [] : (validate.errors ?? []);
      if (error === undefined) return null;
      const index = error.instancePath.slice(1);
      return index === "" ? describe(error) : `[${index}] ${describe(error)}`;
    };
  });
}
