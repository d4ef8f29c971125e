const table = String.raw`\s+((?:[\w.]|"[^"]+")+)`;
/** Not `for update`, which locks rows. */
const writing = new RegExp(
  String.raw`(?<!\b(?:for|key)\s+)\b(insert|update|delete)(?: into| from)?${table}`,
  "i",
);
const reading = new RegExp(String.raw`\bfrom${table}`, "i");

/** The operation of a statement and its first table. After WITH it is the first write, else SELECT. */
export function statementSummary(text: string): { readonly operation: string; readonly table?: string } {
  const first = /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? "";
  const [, verb = first === "WITH" ? "SELECT" : first, written] =
    (first === "SELECT" ? null : writing.exec(text)) ?? [];
  const name = written ?? (verb === "SELECT" ? reading.exec(text)?.[1] : undefined);
  return { operation: verb.toUpperCase(), ...(name !== undefined && { table: name.replaceAll('"', "") }) };
}
