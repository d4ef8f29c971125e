import { isRuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import type { ColumnType, ForeignKey, ValuesCheck } from "../../vocabulary/migrations/migration-steps.ts";

/** The effect of a step on data, and a way to the same result without data loss. */
export interface Consequence {
  readonly why: string;
  /** Runs or statements, in order. Empty if there is no safe way. */
  readonly safely: readonly string[];
}

/** The place of values before the migration runs. */
export interface ColumnPlace {
  readonly table: string;
  readonly column: string;
  /** The name of the id column; null if it does not exist. */
  readonly id?: string | null;
  /** The same place under its new names. */
  readonly to?: { readonly table: string; readonly column: string };
}

/** The note about steps that break older code, for headers and reports. The ids of the steps follow. */
export const olderInstances = "running older instances fail where they use it, until they are replaced";

/** The note about edited custom SQL that other databases may have run. */
export const refusedByDatabases =
  "a database that ran it rejects the edited text: restore the file, and add a new migration";

/** For values that PostgreSQL cannot convert, or not all of them: they need a new column. */
const inAnotherField = [
  "add a field of the new type next to it, deploy, and copy what fits",
  "remove the old field",
  "give the new one its name with renamed_from",
];

function newName({ column, to }: ColumnPlace): string {
  return to?.column ?? column;
}

/** A field cannot replace a column that the runtime fills. */
function inAnotherColumn(column: string): readonly string[] {
  return isRuntimeColumn(column)
    ? ["copy the values that you need to your own table, by SQL", "accept this step"]
    : inAnotherField;
}

/** SQL that fills NULLs, after a first run has renamed table and column. */
function filling({ to, ...place }: ColumnPlace): string {
  const { table, column } = to ?? place;
  return `UPDATE "${table}" SET "${column}" = … WHERE "${column}" IS NULL`;
}

/** The columns of a query for rows with their values. */
function idAnd({ column, id = "id" }: ColumnPlace): string {
  return id === null ? `"${column}"` : `${id === "id" ? id : `"${id}"`}, "${column}"`;
}

/** All steps that lose data or fail on existing rows: the effect, and a safe way. */
export const consequences = {
  dropTable: (table: string): Consequence => ({
    why: "drops the table with all of its rows",
    safely: [
      `make the model internal, and deploy: no caller reads or writes ${table} any more`,
      "remove the model, accept this step, and migrate when no older instance runs",
    ],
  }),
  renameValue: (value: string, to: string): Consequence => ({
    why: `renames the value ${JSON.stringify(value)} to ${JSON.stringify(to)} in all rows, because PostgreSQL cannot remove values of a type`,
    safely: [],
  }),
  dropColumn: {
    why: "drops the column with all of its values",
    safely: [
      "make the field optional, close it in access.fields (read and write: []), and deploy: no caller uses it any more",
      "remove the field, accept this step, and migrate when no older instance runs",
    ],
  },
  dropDeletedAt: (table: string): Consequence => ({
    why: "deleted rows become visible again, since nothing marks them any more",
    safely: [
      `delete them for good: DELETE FROM "${table}" WHERE deleted_at IS NOT NULL`,
      "turn soft_delete off, and accept this step",
    ],
  }),
  fromPassword: {
    why: "drops the stored password hashes, which a field of another type would show to its readers",
    safely: ["add the new field next to it, and deploy", "remove the password, and accept its step"],
  },
  toPassword: {
    why: "drops the stored values: they are plain text, and a password is stored as a hash only",
    safely: [
      "add a password field next to it, deploy, and have each value set again through the API",
      "remove the old field, and accept its step",
    ],
  },
  noCast: (column: string, from: ColumnType, to: ColumnType): Consequence => ({
    why: `drops the column with all of its values, because PostgreSQL cannot convert ${from} to ${to}`,
    safely: inAnotherColumn(column),
  }),
  addRequired: (place: ColumnPlace): Consequence => ({
    why: "fails on a table that has rows, since they have no value for it",
    safely: [
      "add the field without required and deploy; with a default, no further step is needed",
      `fill it: ${filling(place)}`,
      "make it required",
    ],
  }),
  setRequired: (place: ColumnPlace): Consequence => ({
    why: `fails where ${place.column} is null`,
    safely: isRuntimeColumn(newName(place))
      ? fillingRuntimeColumn(place)
      : [
          "give the field a default, and deploy: new rows have a value",
          `fill the others: ${filling(place)}`,
          "make it required",
        ],
  }),
  cutText: (place: ColumnPlace, length: number, inLists: boolean): Consequence => {
    const { table, column } = place;
    const tooLong = inLists
      ? `EXISTS (SELECT FROM unnest("${column}") AS element WHERE length(element::text) > ${length})`
      : `length("${column}"::text) > ${length}`;
    return {
      why: `cuts ${inLists ? "elements" : "values"} that are longer than ${length} characters`,
      safely: [
        `find them: SELECT ${idAnd(place)} FROM "${table}" WHERE ${tooLong}`,
        "shorten them, then make the field shorter",
      ],
    };
  },
  parseText: (place: ColumnPlace, to: ColumnType, why: string): Consequence => ({
    why,
    safely: isRuntimeColumn(newName(place))
      ? [
          `by SQL, change the values of "${place.table}"."${place.column}" that are not a valid ${to}`,
          "accept this step",
        ]
      : inAnotherField,
  }),
  convert: (place: ColumnPlace, why: string): Consequence => ({
    why,
    safely: inAnotherColumn(newName(place)),
  }),
  unique: (places: readonly ColumnPlace[], live: boolean): Consequence => {
    const columns = places.map(({ column }) => column);
    const list = columns.map((column) => `"${column}"`).join(", ");
    const of = `"${places[0]?.table}"${live ? " WHERE deleted_at IS NULL" : ""}`;
    return {
      why: `fails where rows have the same ${columns.join(" and ")}`,
      safely: [
        `find them: SELECT ${list}, count(*) FROM ${of} GROUP BY ${list} HAVING count(*) > 1`,
        "make them differ, then add the unique key",
      ],
    };
  },
  /** For a unique key over a new column with the same default in every row. */
  uniqueDefault: (columns: readonly string[]): Consequence => ({
    why: `fails where rows have the same ${columns.join(" and ")}`,
    safely: ["add the field without the unique key, and deploy", "make the values differ, then add the key"],
  }),
  /** `former` are the values that the database allows until the migration runs; null if it allows all. */
  oneOf: (
    place: ColumnPlace,
    { oneOf, elements }: ValuesCheck,
    former: ValuesCheck["oneOf"] | null,
  ): Consequence => {
    const values = oneOf.map(sqlValue).join(", ");
    const changing = ({ table, column }: ColumnPlace) =>
      `change those rows: UPDATE "${table}" SET "${column}" = … WHERE ${
        elements === undefined
          ? `"${column}" NOT IN (${values})`
          : `NOT "${column}" <@ ARRAY[${values}]::${elements}[]`
      }`;
    const gone = former?.filter((value) => !oneOf.includes(value)) ?? [];
    const isReplaced = former !== null && oneOf.some((value) => !former.includes(value));
    return {
      why: `fails where ${elements === undefined ? "" : "an element of "}${place.column} is not one of ${oneOf.join(", ")}`,
      safely: isReplaced
        ? [
            `allow both for now ("enum": ${JSON.stringify([...oneOf, ...gone])}), and deploy: the database refuses the new values until then`,
            changing(place.to ?? place),
            `take ${gone.join(", ")} out of the enum`,
          ]
        : [changing(place), "then change the enum"],
    };
  },
  /** `condition` is SQL with the former names. */
  broken: (table: string, condition: string): Consequence => ({
    why: "fails where rows break it",
    safely: [
      `find them: SELECT * FROM "${table}" WHERE NOT (${condition})`,
      "change those rows, then add the check",
    ],
  }),
  /** For a check of a column that the same migration adds. */
  brokenDefault: (columns: readonly string[]): Consequence => ({
    why: `fails where existing rows break the check with the initial value of ${columns.join(" and ")}`,
    safely: [
      "add the fields without the check, and deploy",
      "change the rows that break it, then add the check",
    ],
  }),
  /** `references` is null if the same migration creates the referenced table. */
  refer: (place: ColumnPlace, referred: string, references: ForeignKey["references"] | null): Consequence => {
    const { table, column } = place;
    const among =
      references === null
        ? "IS NOT NULL"
        : `NOT IN (SELECT "${references.column}" FROM "${references.table}")`;
    return {
      why: `fails where ${column} has a value that no row of ${referred} has`,
      safely: [
        `find them: SELECT ${idAnd(place)} FROM "${table}" WHERE "${column}" ${among}`,
        "change or empty them, then add the relation",
      ],
    };
  },
  newIds: (table: string, followers: readonly string[]): Consequence => ({
    why:
      `every row of ${table} gets a new id${followers.length === 0 ? "" : `, and ${listed(followers)} with it`}; ` +
      "ids and links that callers have stored become invalid",
    safely: [
      "add a field such as former_id, deploy, and copy the old ids into it, so that callers can look up rows by their old id",
      "change id_type, and accept this step",
    ],
  }),
  newKey: (columns: readonly string[]): Consequence => ({
    why: `fails where rows have the same ${columns.join(" and ")}, or none`,
    safely: [],
  }),
} as const;

/** A runtime column cannot get a default, so SQL fills the rows and the migration must follow soon. */
function fillingRuntimeColumn(place: ColumnPlace): readonly string[] {
  const { table, column } = place;
  const value = newName(place) === "id" ? "…" : "now()";
  return [
    `fill it by SQL: UPDATE "${table}" SET "${column}" = ${value} WHERE "${column}" IS NULL`,
    "accept this step, and deploy before new rows without a value are created",
  ];
}

function sqlValue(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return shown.length === 1 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
