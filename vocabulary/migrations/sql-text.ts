/** A name as an identifier of SQL. */
export function name(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** A text as a literal of SQL. Backslashes are ordinary characters: the runner's connections have standard_conforming_strings on. */
export function text(value: string): string {
  if (value.includes("\0")) throw new Error("PostgreSQL stores no NUL character");
  return `'${value.replaceAll("'", "''")}'`;
}
