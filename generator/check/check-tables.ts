import { maxIdentifierLength } from "../../vocabulary/identifiers.ts";
import { internalTables, isInternalTable } from "../../vocabulary/migrations/internal-tables.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { RawModel } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";

const tablePattern = new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${maxIdentifierLength - 1}}$`);
const slugPattern = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

/** Checks tables and slugs: their form, and that no two models share one. */
export function checkTables({ models, report }: CheckContext): void {
  const tables = new Map<string, string>();
  const slugs = new Map<string, string>();
  for (const model of models.filter(({ builtIn }) => !builtIn)) {
    checkTable(model, tables, report);
    checkSlug(model, slugs, report);
  }
  checkCompanions(models, report);
}

/** In PostgreSQL, tables, indexes and sequences share one namespace, and a table adds names for its key and its ids. */
function checkCompanions(models: readonly RawModel[], report: ReportDiagnostic): void {
  const companions = internalCompanions();
  for (const model of models) {
    companions.set(companionName(tableName(model), "pkey"), `the primary key of model "${model.key}"`);
    if (model.idType === "integer")
      companions.set(companionName(tableName(model), "id_seq"), `the ids of model "${model.key}"`);
  }
  for (const model of models) {
    const taken = companions.get(tableName(model));
    if (taken === undefined) continue;
    const message = `the table name "${tableName(model)}" is taken by ${taken}`;
    report("duplicate-table", model.table?.at ?? model.at, message, 'choose another "table"');
  }
}

/** Indexes and sequences of the service's own tables. */
function internalCompanions(): Map<string, string> {
  const names = Object.entries(internalTables).flatMap(([table, indexes]) =>
    [`${table}_pkey`, `${table}_id_seq`, ...indexes].map((name) => [name, `a part of "${table}"`] as const),
  );
  return new Map(names);
}

/** PostgreSQL shortens the part of the table if the whole name is too long. */
function companionName(table: string, suffix: string): string {
  return `${table.slice(0, maxIdentifierLength - suffix.length - 1)}_${suffix}`;
}

function tableName(model: RawModel): string {
  return model.table?.value ?? model.key;
}

function checkTable(model: RawModel, tables: Map<string, string>, report: ReportDiagnostic): void {
  const table = tableName(model);
  const at = model.table?.at ?? model.at;
  if (model.table !== null && !tablePattern.test(table)) {
    const hint = `use letters, digits and underscores, at most ${maxIdentifierLength}, not starting with a digit`;
    report("invalid-name", at, `table "${table}" of model "${model.key}" is not a plain table name`, hint);
  }
  if (model.table !== null && isInternalTable(table)) {
    report("reserved-table", at, `table "${table}" of model "${model.key}" belongs to the service itself`);
  }
  if (table.startsWith("pg_")) {
    const message = `table "${table}" of model "${model.key}" begins with "pg_", which is reserved for PostgreSQL`;
    report("reserved-table", at, message, 'choose another "table"');
  }
  reserveName(tables, table, model.key, (first) => {
    report("duplicate-table", at, `models "${first}" and "${model.key}" both use the table "${table}"`);
  });
}

function checkSlug(model: RawModel, slugs: Map<string, string>, report: ReportDiagnostic): void {
  const slug = model.slug?.value ?? model.key;
  const at = model.slug?.at ?? model.at;
  if (model.slug !== null && !slugPattern.test(slug)) {
    const hint = "use letters and digits, and after the first character also . _ ~ -";
    report(
      "invalid-slug",
      at,
      `slug "${slug}" of model "${model.key}" is not a single plain URL segment`,
      hint,
    );
  }
  // Keys that differ only by case are reported as such.
  reserveName(slugs, slug.toLowerCase(), model.key, (first) => {
    if (first.toLowerCase() === model.key.toLowerCase()) return;
    report("duplicate-slug", at, `models "${first}" and "${model.key}" both use the slug "${slug}"`);
  });
}

function reserveName(
  taken: Map<string, string>,
  name: string,
  key: string,
  refuse: (first: string) => void,
): void {
  const first = taken.get(name);
  if (first === undefined) taken.set(name, key);
  else refuse(first);
}
