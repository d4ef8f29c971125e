import pg from "pg";

const int8 = 20;
const date = 1082;
const timestamptz = 1184;

/** Values in rows that hooks read through knex look as they do in the API: ids are numbers, dates are text. */
export const hookTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === int8) return Number;
    if (oid === date) return String;
    if (oid === timestamptz) return toIsoText;
    return format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid, "text");
  },
};

/** `2026-01-31 08:15:00.5+00`, as PostgreSQL prints it, to `2026-01-31T08:15:00.500Z`. */
function toIsoText(value: string): string {
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? value : instant.toISOString();
}
