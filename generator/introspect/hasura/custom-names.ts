import type { CatalogSchema } from "../../../vocabulary/migrations/catalog.ts";
import { tableNameOf } from "../../migrations/snapshot.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import { type FoundTable, keyColumnsOf } from "../as-found/found-table.ts";
import type { KnownTables } from "../as-found/tables-as-found.ts";
import { cleaned, modelKeys } from "../model-names.ts";
import type { HasuraTable } from "./hasura-metadata.ts";
import { remarkAt } from "./metadata-node.ts";

/** The names of models and fields that the metadata gives, where models can have them. `tracked` is by JSON of schema and name. */
export function customNames(
  schemas: readonly CatalogSchema[],
  tracked: ReadonlyMap<string, HasuraTable>,
  home: string,
): KnownTables {
  const named = schemas.flatMap((schema) =>
    schema.tables.flatMap((table) => {
      const hasura = tracked.get(JSON.stringify([schema.name, table.name]));
      const isNamed = hasura !== undefined && (hasura.customName !== null || hasura.columnNames.size > 0);
      return isNamed ? [{ schema: schema.name, table, hasura }] : [];
    }),
  );
  const keys = modelKeys(named.map(({ hasura }) => hasura.customName ?? hasura.name));
  return new Map(
    named.map(({ schema, table, hasura }, place) => {
      const [only = null, second] = keyColumnsOf(table) ?? [];
      const name = tableNameOf({
        schemaName: schema === home ? null : schema,
        table: table.name,
        builtIn: false,
      });
      const names = [...hasura.columnNames].map(
        ([column, custom]) => [column, cleaned(custom, column)] as const,
      );
      const id = second === undefined ? only : null;
      return [name, { key: keys[place] ?? table.name, id, names: new Map(names), taken: new Set<string>() }];
    }),
  );
}

/** The custom names that models do not have. */
export function nameRemarks(
  pairs: readonly { readonly table: FoundTable; readonly hasura: HasuraTable }[],
): FoundRemark[] {
  return pairs.flatMap(({ table: { key, columns, source }, hasura: { node, customName, columnNames } }) => {
    const other = (what: string, custom: string | null, name: string) =>
      custom === null || custom === name
        ? []
        : [remarkAt("hasura", node, `${what}: its name ${custom} is ${name}`)];
    const fields = columns.flatMap(({ source: { name }, name: field, place }) =>
      other(`column ${source.name}.${name}`, columnNames.get(name) ?? null, place === "id" ? "id" : field),
    );
    return [...other(`table ${source.name}`, customName, key), ...fields];
  });
}
