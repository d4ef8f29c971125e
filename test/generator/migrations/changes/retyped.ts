import type { ChangeCase, Check } from "./try-change.ts";

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

/** All changes of type in one migration, each on a table with its values: there, back, and there again. */
export function retypedTables(cases: readonly Retyped[]): Omit<ChangeCase, "title"> {
  const tables = cases.map((retyped, at) => ({ ...retyped, table: `rows${String(at).padStart(2, "0")}` }));
  const models = (key: "from" | "to") =>
    Object.fromEntries(tables.map((one) => [one.table, { fields: { x: one[key] } }]));
  const lost = tables.flatMap(({ table, destructive }) =>
    destructive === undefined ? [] : [`${destructive === "dropped" ? "drop_column" : "set_type"}:${table}.x`],
  );
  return {
    before: models("from"),
    rows: tables
      .map(({ table, values }) => `INSERT INTO ${table} (x) VALUES (${values.join("), (")});`)
      .join("\n"),
    after: models("to"),
    // As in the plan, which drops columns first.
    accepted: lost.sort(),
    up: tables.flatMap((one) => checksOf(one, one.up, one.type)),
    down: tables.flatMap((one) => checksOf(one, one.down, one.former)),
    again: tables.flatMap((one) => checksOf(one, one.again ?? one.up, one.type)),
  };
}

function checksOf(
  { table, from, to }: Retyped & { readonly table: string },
  found: readonly (string | null)[],
  type: string,
): Check[] {
  // A failed check shows its statement.
  const title = `-- ${JSON.stringify(from)} becomes ${JSON.stringify(to)}`;
  return [
    [`SELECT x::text AS x FROM ${table} ORDER BY id ${title}`, found.map((x) => ({ x }))],
    [
      `SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attname = 'x' ${title}`,
      [{ type }],
    ],
  ];
}
