import { isDeepStrictEqual } from "node:util";
import type { CatalogConstraint, CatalogTable } from "../../../vocabulary/migrations/catalog.ts";
import { placeOfTable } from "../../../vocabulary/migrations/check-sql.ts";
import {
  type Column,
  columnsOfCheck,
  type ForeignKey,
  type Index,
} from "../../../vocabulary/migrations/migration-steps.ts";
import type { Table } from "../../migrations/schema.ts";

/** What the database has changed in a table since the last migration. Names are those of the database. */
export interface TableChange {
  readonly was: Table;
  /** The table as it is now, with everything that the database has not changed. */
  readonly now: Table;
  readonly added: readonly Column[];
  readonly dropped: readonly Column[];
  readonly retyped: readonly Column[];
  readonly renulled: readonly Column[];
  readonly redefaulted: readonly Column[];
  /** Columns that have a type now that no field can hold. */
  readonly unheld: readonly Column[];
  readonly indexes: Difference<Index>;
  readonly foreignKeys: Difference<ForeignKey>;
}

interface Difference<Part> {
  readonly gone: readonly Part[];
  readonly come: readonly Part[];
}

/** Whether the database has changed the table, or its model can be told something. */
export function isChange({ was, now, unheld }: TableChange): boolean {
  return unheld.length > 0 || !isDeepStrictEqual(was, now);
}

/**
 * Compares a table of the last migration with the database. `fresh` is the table of an introspection from the start, and `source` the
 * catalog, which also knows the parts that models declare and an introspection does not.
 */
export function tableChange(was: Table, fresh: Table, source: CatalogTable): TableChange {
  const there = (name: string) => source.columns.some((column) => column.name === name);
  const kept = was.columns.filter(({ name }) => there(name));
  const pairs = kept.flatMap((column) => {
    const now = fresh.columns.find(({ name }) => name === column.name);
    return now === undefined ? [] : [[column, now] as const];
  });
  const differing = (differs: (old: Column, now: Column) => boolean) =>
    pairs.flatMap(([old, now]) => (differs(old, now) ? [now] : []));
  const retyped = differing(
    (old, now) => old.type !== now.type || !isDeepStrictEqual(old.values, now.values),
  );
  const dropped = was.columns.filter(({ name }) => !there(name));
  const added = fresh.columns.filter(({ name }) => !was.columns.some((column) => column.name === name));
  const indexes = indexDifference(was, fresh, source);
  const foreignKeys = keyDifference(was, fresh, source);
  const parts = {
    ...{ added, dropped, retyped, indexes, foreignKeys },
    renulled: differing((old, now) => old.nullable !== now.nullable),
    redefaulted: differing(hasOtherDefault),
    unheld: kept.filter((column) => !pairs.some(([old]) => old === column)),
  };
  return { was, now: tableNow(was, fresh, source, parts), ...parts };
}

type Parts = Omit<TableChange, "was" | "now">;

function tableNow(
  { primaryKey, ...was }: Table,
  fresh: Table,
  source: CatalogTable,
  { added, dropped, retyped, renulled, redefaulted, indexes, foreignKeys }: Parts,
): Table {
  const isGone = (name: string) => dropped.some((column) => column.name === name);
  const key = primaryKey?.columns.some(isGone) === true ? fresh.primaryKey : primaryKey;
  return {
    ...was,
    ...(key === undefined ? {} : { primaryKey: key }),
    columns: [
      ...was.columns.flatMap((column) => {
        if (isGone(column.name)) return [];
        const is = (list: readonly Column[]) => list.find(({ name }) => name === column.name);
        const nullable = is(renulled)?.nullable ?? column.nullable;
        const other = is(redefaulted);
        const { default: _, ...rest } = is(retyped) ?? column;
        const value = other === undefined ? column.default : other.default;
        return [{ ...rest, nullable, ...(value === undefined ? {} : { default: value }) }];
      }),
      ...added,
    ],
    indexes: [...was.indexes.filter((index) => !indexes.gone.includes(index)), ...indexes.come],
    foreignKeys: [
      ...was.foreignKeys
        .filter((key) => !foreignKeys.gone.includes(key))
        .map((key) => ({ ...key, name: constraintOf(key, source)?.name ?? key.name })),
      ...foreignKeys.come,
    ],
    checks: was.checks.filter((check) => !columnsOfCheck(check).some(isGone)),
  };
}

/** A default that no literal of a field expresses, such as a moment, is compared only by whether there is one. */
function hasOtherDefault({ default: old }: Column, { default: now }: Column): boolean {
  const isLiteral = (value: Column["default"]) => typeof value === "object" && "literal" in value;
  if (isLiteral(old) && now !== undefined && !isLiteral(now))
    return !(typeof now === "object" && "expression" in now && /^'/.test(now.expression));
  return !isDeepStrictEqual(old, now);
}

function indexDifference(was: Table, fresh: Table, { indexes }: CatalogTable): TableChange["indexes"] {
  const gone = was.indexes.filter(
    ({ name, columns, unique, live }) =>
      !indexes.some(
        (index) =>
          index.name === name &&
          index.valid &&
          index.unique === unique &&
          (index.predicate !== null) === live &&
          isDeepStrictEqual(index.columns, columns),
      ),
  );
  const kept = was.indexes.filter((index) => !gone.includes(index));
  return { gone, come: fresh.indexes.filter((index) => !kept.some((other) => isSameKey(index, other))) };
}

/** Whether two indexes are one declaration of a model. */
export function isSameKey(one: Index, other: Index): boolean {
  return one.unique === other.unique && isDeepStrictEqual(one.columns, other.columns);
}

const onDelete = {
  restrict: ["restrict", "no action"],
  cascade: ["cascade"],
  set_null: ["set null"],
} as const;

function keyDifference(was: Table, fresh: Table, source: CatalogTable): TableChange["foreignKeys"] {
  const isFresh = ({ column }: ForeignKey) => fresh.foreignKeys.some((key) => key.column === column);
  const gone = was.foreignKeys.filter((key) => {
    const constraint = constraintOf(key, source);
    const rule: string | undefined = constraint?.references?.onDelete;
    return constraint === null || (isFresh(key) && !onDelete[key.onDelete].some((one) => one === rule));
  });
  const kept = was.foreignKeys.filter((key) => !gone.includes(key));
  return {
    gone,
    come: fresh.foreignKeys.filter((key) => !kept.some(({ column }) => column === key.column)),
  };
}

/** The constraint of the database for a foreign key of one column. The schema of the target is not compared. */
function constraintOf({ column, references }: ForeignKey, source: CatalogTable): CatalogConstraint | null {
  const { name } = placeOfTable(references.table);
  const found = source.constraints.find(
    ({ columns, references: to }) =>
      isDeepStrictEqual(columns, [column]) &&
      to?.table === name &&
      isDeepStrictEqual(to.columns, [references.column]),
  );
  return found ?? null;
}
