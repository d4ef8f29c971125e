import { maxIdentifierLength } from "../../vocabulary/identifiers.ts";
import { internalTables, isInternalTable } from "../../vocabulary/migrations/internal-tables.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { RawModel } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";
import { identifierProblem } from "./check-names.ts";

const slugPattern = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

/** Checks tables and slugs: their form, and that no two models share one. */
export function checkTables({ models, manifest, report }: CheckContext): void {
  const serviceSchema = manifest?.serviceSchema?.value ?? null;
  const tables = new Map<string, string>();
  const slugs = new Map<string, string>();
  for (const model of models.filter(({ builtIn }) => !builtIn)) {
    checkTable(model, serviceSchema, tables, report);
    checkSlug(model, slugs, report);
  }
  checkCompanions(models, serviceSchema, report);
}

/** In PostgreSQL, tables, indexes and sequences share one namespace, and a table adds names for its key and its ids. */
function checkCompanions(
  models: readonly RawModel[],
  serviceSchema: string | null,
  report: ReportDiagnostic,
): void {
  const companions = internalCompanions(serviceSchema);
  for (const model of models) {
    const schema = schemaOf(model, serviceSchema);
    const claim = (suffix: string, what: string) =>
      companions.set(
        placeOf(schema, companionName(tableName(model), suffix)),
        `${what} of model "${model.key}"`,
      );
    if (!model.view) claim("pkey", "the primary key");
    if (model.idType === "integer" && !model.view) claim("id_seq", "the ids");
  }
  for (const model of models) {
    const taken = companions.get(placeOf(schemaOf(model, serviceSchema), tableName(model)));
    if (taken === undefined) continue;
    const message = `the table name "${tableName(model)}" is taken by ${taken}`;
    report("duplicate-table", model.table?.at ?? model.at, message, 'choose another "table"');
  }
}

/** The schema of a table, or null for the first one of the search path. The accounts are in the service's schema. */
function schemaOf({ builtIn, schemaName }: RawModel, serviceSchema: string | null): string | null {
  return builtIn ? serviceSchema : (schemaName?.value ?? null);
}

/** A table, index or sequence of a schema, as a key. */
function placeOf(schema: string | null, name: string): string {
  return JSON.stringify([schema, name]);
}

/** Indexes and sequences of the service's own tables. */
function internalCompanions(serviceSchema: string | null): Map<string, string> {
  const names = Object.entries(internalTables).flatMap(([table, indexes]) =>
    [`${table}_pkey`, `${table}_id_seq`, ...indexes].map(
      (name) => [placeOf(serviceSchema, name), `a part of "${table}"`] as const,
    ),
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

/** Why a string cannot be a table. A point is always a schema that is in the wrong place. */
function tableProblem(table: string): string | null {
  return table.includes(".") ? "contains a point" : identifierProblem(table);
}

function checkTable(
  model: RawModel,
  serviceSchema: string | null,
  tables: Map<string, string>,
  report: ReportDiagnostic,
): void {
  const table = tableName(model);
  const at = model.table?.at ?? model.at;
  const problem = model.table === null ? null : tableProblem(table);
  if (problem !== null) {
    const hint = table.includes(".") ? 'write the schema as "schema_name"' : null;
    report("invalid-name", at, `table "${table}" of model "${model.key}" ${problem}`, hint);
  }
  const schema = schemaOf(model, serviceSchema);
  if (model.table !== null && schema === serviceSchema && isInternalTable(table)) {
    const hint =
      'if your database has such a table, move Kirak\'s own tables: "service_schema" in the manifest';
    report(
      "reserved-table",
      at,
      `table "${table}" of model "${model.key}" belongs to the service itself`,
      hint,
    );
  }
  if (table.startsWith("pg_")) {
    const message = `table "${table}" of model "${model.key}" begins with "pg_", which is reserved for PostgreSQL`;
    report("reserved-table", at, message, 'choose another "table"');
  }
  reserveName(tables, placeOf(schema, table), model.key, (first) => {
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
