import type { Check, ColumnType, ForeignKey } from "./schema.ts";

/** What a step does to data, and the runs that get there without a loss. */
export interface Consequence {
  readonly why: string;
  /** One run or one statement each, in their order; empty where nothing helps. */
  readonly safely: readonly string[];
}

/** Where values are before the migration runs. */
export interface Place {
  readonly table: string;
  readonly column: string;
}

/** For values that need another column: PostgreSQL cannot turn them, or not all of them. */
const inAnotherField = [
  "add a field of the new type beside it, deploy, and copy what fits",
  "remove the old field",
  "give the new one its name with renamed_from",
];

/** All steps that lose data or fail on it: what happens, and how to get there in safety. */
export const consequences = {
  dropTable: (table: string): Consequence => ({
    why: "drops the table with all of its rows",
    safely: [
      `make the model internal, and deploy: nobody reads or writes ${table} any more`,
      "remove the model, and accept this step",
    ],
  }),
  dropColumn: {
    why: "drops the column with all of its values",
    safely: [
      "make the field optional, close it in access.fields (read and write: []), and deploy: nobody uses it any more",
      "remove the field, and accept this step",
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
    safely: ["add the new field beside it, and deploy", "remove the password, and accept its step"],
  },
  toPassword: {
    why: "drops the stored values: they are plain text, and a password is stored as a hash only",
    safely: [
      "add a password field beside it, deploy, and have each value set anew through the API",
      "remove the old field, and accept its step",
    ],
  },
  noCast: (from: ColumnType, to: ColumnType): Consequence => ({
    why: `drops the column with all of its values, since PostgreSQL turns no ${from} into ${to}`,
    safely: inAnotherField,
  }),
  addRequired: (table: string, column: string): Consequence => ({
    why: "fails on a table that has rows, since they have no value for it",
    safely: [
      "add the field without required (or with a default, and be done), and deploy",
      `fill it: UPDATE "${table}" SET "${column}" = … WHERE "${column}" IS NULL`,
      "make it required",
    ],
  }),
  setRequired: (table: string, column: string): Consequence => ({
    why: `fails where ${column} is null`,
    safely: [
      "give the field a default, and deploy: new rows have a value",
      `fill the others: UPDATE "${table}" SET "${column}" = … WHERE "${column}" IS NULL`,
      "make it required",
    ],
  }),
  cutText: ({ table, column }: Place, length: number): Consequence => ({
    why: `cuts values that are longer than ${length} characters`,
    safely: [
      `find them: SELECT id, "${column}" FROM "${table}" WHERE length("${column}"::text) > ${length}`,
      "shorten them, then make the field shorter",
    ],
  }),
  parseText: (to: ColumnType): Consequence => ({
    why: `fails where a value is no ${to}`,
    safely: inAnotherField,
  }),
  convert: (why: string): Consequence => ({ why, safely: inAnotherField }),
  unique: (places: readonly Place[], live: boolean): Consequence => {
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
  oneOf: ({ table, column }: Place, oneOf: Check["oneOf"]): Consequence => ({
    why: `fails where ${column} is none of ${oneOf.join(", ")}`,
    safely: [
      `change those rows: UPDATE "${table}" SET "${column}" = … WHERE "${column}" NOT IN (${oneOf.map(sqlValue).join(", ")})`,
      "then change the enum",
    ],
  }),
  refer: ({ table, column }: Place, references: ForeignKey["references"]): Consequence => ({
    why: `fails where ${column} has a value that no row of ${references.table} has`,
    safely: [
      `find them: SELECT id, "${column}" FROM "${table}" WHERE "${column}" NOT IN ` +
        `(SELECT "${references.column}" FROM "${references.table}")`,
      "change or empty them, then add the relation",
    ],
  }),
  newIds: (table: string, followers: readonly string[]): Consequence => ({
    why:
      `every row of ${table} gets a new id${followers.length === 0 ? "" : `, and ${listed(followers)} with it`}; ` +
      "ids and links that callers keep are void",
    safely: [
      "add a field such as former_id, deploy, and copy the ids into it, so that callers can find the new ones",
      "change id_type, and accept this step",
    ],
  }),
  newKey: (columns: readonly string[]): Consequence => ({
    why: `fails where rows have the same ${columns.join(" and ")}, or none`,
    safely: [],
  }),
} as const;

function sqlValue(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return shown.length === 1 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
