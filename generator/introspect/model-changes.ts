import type { CatalogColumn } from "../../vocabulary/migrations/catalog.ts";
import type { ColumnType } from "../../vocabulary/migrations/migration-steps.ts";
import { isUnsized } from "./column-types.ts";
import type { Draft } from "./draft.ts";
import type { Adopted } from "./model-json.ts";
import type { Remark } from "./remarks.ts";

/** Changes to the table that the next migration does not report. */
export function changeRemarks({ draft, keys, relations }: Adopted): Remark[] {
  const { source, softDelete } = draft;
  const columns = draft.columns.flatMap((column) => columnRemarks(column, relations.has(column)));
  const remarks = [...tableRemarks(draft), ...idRemarks(draft), ...columns];
  const full = keys.filter(({ index, unique }) => unique && index !== null && index.predicate === null);
  if (softDelete)
    remarks.push(
      ...full.map(({ index }) => ({
        what: `unique index ${index?.name}`,
        outcome: "it will cover only rows that are not deleted, because of soft_delete",
      })),
    );
  return remarks.map((remark) => ({ table: source.name, ...remark }));
}

type Local = Omit<Remark, "table">;

function tableRemarks({ source, table }: Draft): Local[] {
  const renamed: Local[] =
    source.name === table
      ? []
      : [
          {
            what: "the table's name",
            outcome: `it is not allowed for models: the table becomes ${table}`,
            loud: true,
          },
        ];
  const hidden = "it hides rows from this role, so the service does not see them";
  return [
    ...renamed,
    ...(source.rowSecurity ? [{ what: "row security", outcome: hidden, loud: true as const }] : []),
    ...source.triggers.map((name) => ({
      what: `trigger ${name}`,
      outcome: "it still runs, but the service does not know it",
    })),
    ...source.constraints
      .filter(({ kind }) => kind === "exclusion")
      .map(({ name }) => ({
        what: `exclusion constraint ${name}`,
        outcome: "it stays only in the database",
      })),
  ];
}

function idRemarks({ columns }: Draft): Local[] {
  const id = columns.find(({ place }) => place === "id")?.source;
  if (id === undefined || id.default === null || id.sequence || id.default === "gen_random_uuid()") return [];
  return [
    {
      what: `default of ${id.name}, ${id.default}`,
      outcome: "the default is replaced: ids are created as in every model",
      loud: true,
    },
  ];
}

function columnRemarks({ source, place, type }: Draft["columns"][number], refers: boolean): Local[] {
  if (place !== "field") return [];
  // A relation has the type of its target.
  if (isUnsized(type) && !refers) return [unsizedRemark(source)];
  const changed = changedValues(type.column);
  const values: Local[] =
    changed === null
      ? []
      : [{ what: `column ${source.name} (${source.type})`, outcome: changed, loud: true }];
  if (source.baseType === null || source.enumValues !== null) return values;
  return [
    ...values,
    {
      what: `column ${source.name} (${source.type}, a domain)`,
      outcome: "the domain and its checks stay only in the database",
    },
  ];
}

/** How the next migration converts values of a type without a field type. */
function changedValues(type: ColumnType): string | null {
  if (type === "real" || type === "real[]")
    return "its values become double precision, so 9.8 is returned as 9.800000190734863";
  if (type === "json")
    return "it becomes jsonb, which loses the order of keys, and keeps only the last of duplicate keys";
  return null;
}

function unsizedRemark({ name, type }: CatalogColumn): Local {
  const list = type.endsWith("[]") ? "[]" : "";
  const outcome =
    `it becomes ${list === "" ? "a float" : "a list of floats"}, which keeps about 15 digits of each number; for exact numbers, ` +
    `give it a size (ALTER COLUMN ${name} TYPE numeric(…,…)${list}) and introspect again, or make the field a decimal before you generate`;
  return { what: `column ${name} (${type})`, outcome, loud: true };
}
