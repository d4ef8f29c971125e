import { isRuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import type { ColumnType, ForeignKey, ValuesCheck } from "../../vocabulary/migrations/migration-steps.ts";

/** What a step does to data, and the runs that get there without a loss. */
export interface Consequence {
  readonly why: string;
  /** One run or one statement each, in their order; empty where nothing helps. */
  readonly safely: readonly string[];
}

/** Where values are before the migration runs. */
export interface ColumnPlace {
  readonly table: string;
  readonly column: string;
  /** What the column of ids is called; null if it does not exist. */
  readonly id?: string | null;
  /** The same place under the names that the migration gives. */
  readonly to?: { readonly table: string; readonly column: string };
}

/** What a step that breaks older code means, for headers and reports: its ids follow. */
export const olderInstances = "running older instances fail where they use it, until they are replaced";

/** What an edit of own SQL means that is in the chain of others already. */
export const refusedByDatabases =
  "a database that has it refuses to start with another text: restore the file, and make another one";

/** For values that need another column: PostgreSQL cannot turn them, or not all of them. */
const inAnotherField = [
  "add a field of the new type next to it, deploy, and copy what fits",
  "remove the old field",
  "give the new one its name with renamed_from",
];

function newName({ column, to }: ColumnPlace): string {
  return to?.column ?? column;
}

/** No field can replace a column that the runtime fills. */
function inAnotherColumn(column: string): readonly string[] {
  return isRuntimeColumn(column)
    ? ["copy the values that you need by SQL, into a table of your own", "accept this step"]
    : inAnotherField;
}

/** Fills a column where it is null, after a first run that gave the new names. */
function filling({ to, ...place }: ColumnPlace): string {
  const { table, column } = to ?? place;
  return `UPDATE "${table}" SET "${column}" = … WHERE "${column}" IS NULL`;
}

/** The columns that find a row and show its value. */
function idAnd({ column, id = "id" }: ColumnPlace): string {
  return id === null ? `"${column}"` : `${id === "id" ? id : `"${id}"`}, "${column}"`;
}

/** All steps that lose data or fail on it: what happens, and how to get there in safety. */
export const consequences = {
  dropTable: (table: string): Consequence => ({
    why: "drops the table with all of its rows",
    safely: [
      `make the model internal, and deploy: no caller reads or writes ${table} any more`,
      "remove the model, accept this step, and migrate when no older instance runs",
    ],
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
    why: `drops the column with all of its values, since PostgreSQL turns no ${from} into ${to}`,
    safely: inAnotherColumn(column),
  }),
  addRequired: (place: ColumnPlace): Consequence => ({
    why: "fails on a table that has rows, since they have no value for it",
    safely: [
      "add the field without required (or with a default, and be done), and deploy",
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
  /** For a unique key over a column that every row gets with the same value. */
  uniqueDefault: (columns: readonly string[]): Consequence => ({
    why: `fails where rows have the same ${columns.join(" and ")}`,
    safely: ["add the field without the unique key, and deploy", "make the values differ, then add the key"],
  }),
  /** `former` are the values that the database allows until then; null where it allows any. */
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
  /** `condition` is SQL, over a table under the names that it has until the migration runs. */
  broken: (table: string, condition: string): Consequence => ({
    why: "fails where rows break it",
    safely: [
      `find them: SELECT * FROM "${table}" WHERE NOT (${condition})`,
      "change those rows, then add the check",
    ],
  }),
  /** For a check of a column that comes with the same migration. */
  brokenDefault: (columns: readonly string[]): Consequence => ({
    why: `fails where rows break it with what they get for ${columns.join(" and ")}`,
    safely: [
      "add the fields without the check, and deploy",
      "change the rows that break it, then add the check",
    ],
  }),
  /** `references` is null where the table that is referred to comes with the same migration. */
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

/** No field can be given a default here: the rows are filled by SQL, and the migration follows at once. */
function fillingRuntimeColumn(place: ColumnPlace): readonly string[] {
  const { table, column } = place;
  const value = newName(place) === "id" ? "…" : "now()";
  return [
    `fill it by SQL: UPDATE "${table}" SET "${column}" = ${value} WHERE "${column}" IS NULL`,
    "accept this step, and deploy before rows without a value come again",
  ];
}

function sqlValue(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return shown.length === 1 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
