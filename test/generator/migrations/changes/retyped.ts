import type { ChangeCase, Check } from "./try-change.ts";

const rows = (field: object) => ({ rows: { fields: { x: field } } });

/** A field of one type with values in SQL, and these values in the other type and back again. */
export interface Retyped {
  readonly from: object;
  readonly values: readonly string[];
  readonly to: object;
  readonly up: readonly (string | null)[];
  readonly down: readonly (string | null)[];
  readonly again?: readonly (string | null)[];
  readonly type: string;
  readonly former: string;
  /** True where values may be lost; "dropped" where all are. */
  readonly destructive?: true | "dropped";
}

/** The change of type on a table with these values, there, back, and there again. */
export function retypedCase({
  from,
  values,
  to,
  up,
  down,
  again,
  type,
  former,
  destructive,
}: Retyped): ChangeCase {
  const checks = (found: readonly (string | null)[], name: string): Check[] => [
    ["SELECT x::text AS x FROM rows ORDER BY id", found.map((x) => ({ x }))],
    [
      "SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = 'rows'::regclass AND attname = 'x'",
      [{ type: name }],
    ],
  ];
  const id = destructive === "dropped" ? "drop_column:rows.x" : "set_type:rows.x";
  return {
    title: `${JSON.stringify(from)} becomes ${JSON.stringify(to)}`,
    before: rows(from),
    rows: `INSERT INTO rows (x) VALUES ${values.map((value) => `(${value})`).join(", ")}`,
    after: rows(to),
    accepted: destructive === undefined ? [] : [id],
    up: checks(up, type),
    down: checks(down, former),
    again: checks(again ?? up, type),
  };
}
