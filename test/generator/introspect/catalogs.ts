import type {
  CatalogColumn,
  CatalogConstraint,
  CatalogDependent,
  CatalogIndex,
  CatalogSchema,
  CatalogTable,
} from "#vocabulary/migrations/catalog";

/** A column: `column("title", "text")` may be null and has no default. */
export function column(name: string, type: string, more: Partial<CatalogColumn> = {}): CatalogColumn {
  return {
    ...{ name, type, nullable: true, default: null, identity: null, generated: false, sequence: false },
    ...{ portable: true, enumType: null },
    ...{ enumValues: null, baseType: null, collation: null, comment: null, counter: null, validated: true },
    dimensions: type.endsWith("[]") ? 1 : 0,
    ...more,
  };
}

/** A column that cannot be null. */
export function required(name: string, type: string, more: Partial<CatalogColumn> = {}): CatalogColumn {
  return column(name, type, { nullable: false, ...more });
}

/** `id serial`. */
export const serialId = required("id", "integer", {
  default: "nextval('t_id_seq'::regclass)",
  sequence: true,
});

export function primaryKey(...columns: string[]): CatalogConstraint {
  return constraint("primary_key", "t_pkey", columns, `PRIMARY KEY (${columns.join(", ")})`);
}

export function check(name: string, on: string, definition: string): CatalogConstraint {
  return constraint("check", name, [on], `CHECK (${definition})`);
}

type OnDelete = NonNullable<CatalogConstraint["references"]>["onDelete"];

/** `foreignKey("t_a_fkey", "a", "other.id")`. */
export function foreignKey(
  name: string,
  on: string,
  target: string,
  onDelete: OnDelete = "no action",
): CatalogConstraint {
  const [table = "", ...columns] = target.split(".");
  const references = { schema: "public", table, columns, onDelete };
  return { ...constraint("foreign_key", name, on.split("."), ""), references };
}

function constraint(
  kind: CatalogConstraint["kind"],
  name: string,
  columns: readonly string[],
  definition: string,
): CatalogConstraint {
  return { kind, name, columns, references: null, definition, validated: true, enforced: true };
}

export function index(
  name: string,
  columns: readonly string[],
  more: Partial<CatalogIndex> = {},
): CatalogIndex {
  const plain = { unique: false, method: "btree", predicate: null, definition: "", valid: true };
  return { name, columns, ...plain, ...more };
}

export function unique(name: string, ...columns: string[]): CatalogIndex {
  return index(name, columns, { unique: true });
}

/** A table with a serial `id`, or with the parts that are given. */
export function table(
  name: string,
  columns: readonly CatalogColumn[],
  more: Partial<CatalogTable> = {},
): CatalogTable {
  const own = more.constraints ?? [];
  const keyed = own.some(({ kind }) => kind === "primary_key") || more.kind !== undefined;
  return {
    ...{ name, kind: "table", indexes: [], triggers: [], rowSecurity: false, comment: null },
    ...{ rowTriggers: [], rules: [], unlogged: false, children: [] },
    ...more,
    columns: keyed ? columns : [serialId, ...columns],
    constraints: keyed ? own : [primaryKey("id"), ...own],
  };
}

export function schema(
  tables: readonly CatalogTable[],
  dependents: readonly CatalogDependent[] = [],
  arrays: CatalogSchema["arrays"] = [],
): CatalogSchema {
  return {
    name: "public",
    tables,
    arrays,
    values: [],
    dependents,
    largeIds: [],
    filled: [],
    guards: [],
    others: [],
  };
}
