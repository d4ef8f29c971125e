import type { CatalogSchema, CatalogTable } from "../../vocabulary/catalog.ts";
import type { Remark } from "./remarks.ts";

const kinds: readonly [CatalogTable["kind"], string][] = [
  ["partitioned table", "partitioned tables"],
  ["partition", "partitions"],
  ["view", "views"],
  ["materialized view", "materialized views"],
  ["foreign table", "foreign tables"],
];

/** What a schema holds beside tables, and what other schemas hold. */
export function absentRemarks({ tables, others }: CatalogSchema): Remark[] {
  const absent = kinds.flatMap(([kind, plural]): Remark[] => {
    const names = tables.filter((table) => table.kind === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    return [{ table: null, what: `${plural} ${names.join(", ")}`, outcome: "they stay, and are no models" }];
  });
  return [
    ...absent,
    ...others.map(({ name, tables: count }) => ({
      table: null,
      what: `schema ${name} (${count === 1 ? "1 table" : `${count} tables`})`,
      outcome: "it was not read",
    })),
  ];
}
