import { elementTypeOf, familyOf } from "../../../vocabulary/column-type-parts.ts";
import type { Step } from "../../../vocabulary/migration-steps.ts";
import { name, text } from "./quoting.ts";

type SetType = Extract<Step, { readonly step: "set_type" }>;

/** What becomes of the values of a column that takes another type. */
export function convertedSql({ column, type, from }: SetType): string {
  const value = name(column);
  if (from === undefined) return `${value}::${type}`;
  if (type === "jsonb") return `to_jsonb(${value})`;
  const target = elementTypeOf(type);
  if (target !== null && elementTypeOf(from) === null)
    return `case when ${value} is not null then array[${cast(value, target)}] end`;
  return elementTypeOf(from) !== null && target === null ? cast(`${value}[1]`, type) : cast(value, type);
}

/** What PostgreSQL takes, and no field can hold. */
const refused: Readonly<Record<string, { readonly value: string; readonly why: string }>> = {
  numeric: { value: "NaN", why: "NaN is no number" },
  time: { value: "24:00", why: "24:00 is no time of a day" },
};

function cast(value: string, type: string): string {
  const element = elementTypeOf(type);
  const family = familyOf(element ?? type);
  const none = refused[family];
  if (none === undefined) return `${value}::${type}`;
  // Of times only when they are rounded.
  const plain = family === "time" ? `${value}::${type}` : `${value}::numeric${element === null ? "" : "[]"}`;
  const holds = element === null ? `${plain} = '${none.value}'` : `'${none.value}' = any (${plain})`;
  // Such a text is nothing of any type: the cast fails, and says it.
  const failing = `(${text(`${none.why}: `)} || ${value}::text)::${type}`;
  return `case when ${holds} then ${failing} else ${value}::${type} end`;
}
