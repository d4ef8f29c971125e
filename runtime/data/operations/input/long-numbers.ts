import { doubleOf, numberText } from "../../../../vocabulary/fields/exact-numbers.ts";
import { elementKindOf, type FieldKind } from "../../../../vocabulary/fields/field-kinds.ts";
import type { JsonObject } from "../../../../vocabulary/json.ts";
import { oncePer } from "../../../core/memo/index.ts";
import { columnsOf, type Model } from "../../../models/index.ts";

/** How a whole number beyond 2^53 - 1 is stored by kind; null where the column does not hold it exactly. */
const forms: Readonly<Partial<Record<FieldKind, (whole: bigint) => number | string | null>>> = {
  float: doubleOf,
  int64: String,
  // As other JSON numbers for decimals, it has at most 15 significant digits.
  decimal: (whole) => (numberText(Number(whole)) === String(whole) ? String(whole) : null),
};

const numberColumns = oncePer((model: Model) =>
  [...columnsOf(model).values()].flatMap(({ name, kind }) => {
    const form = forms[elementKindOf(kind) ?? kind];
    return form === undefined ? [] : [{ name, form }];
  }),
);

/**
 * A record as it was sent, in which whole numbers beyond 2^53 - 1 have the form that validation takes for their fields
 * (docs/api.md#numbers). Validation refuses those that stay BigInts, except in json fields.
 */
export function withLongNumbers<Record extends JsonObject>(model: Model, record: Record): Record {
  const changed = numberColumns(model).flatMap(({ name, form }) => {
    const value = Object.hasOwn(record, name) ? record[name] : null;
    const taken = (item: unknown) => (typeof item === "bigint" ? (form(item) ?? item) : item);
    if (Array.isArray(value)) return value.some(isBigInt) ? [[name, value.map(taken)]] : [];
    return isBigInt(value) ? [[name, taken(value)]] : [];
  });
  return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
}

const isBigInt = (value: unknown): value is bigint => typeof value === "bigint";
