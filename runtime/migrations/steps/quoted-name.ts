/** A name as an identifier of SQL. */
export function name(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
