const name = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))*)(?!\s*\()`;
/** Without `for update`, which locks rows. */
const writing = new RegExp(
  String.raw`\b(insert)\s+into\s+${name}|(?<!\bfor\s+|\bkey\s+|\bdo\s+)\b(update)\s+${name}|\b(delete)\s+from\s+${name}`,
  "i",
);
const reading = new RegExp(String.raw`\bfrom\s+${name}`, "i");

/** The operation of a statement and its first table. */
export interface StatementSummary {
  readonly operation: string;
  /** Null without a table. */
  readonly table: string | null;
}

/** Summarises the text of a statement. A statement that begins with WITH is what it writes, else SELECT. */
export function statementSummary(text: string): StatementSummary {
  const [first = ""] = /[a-z]+/i.exec(text) ?? [];
  const operation = first.toUpperCase();
  const found = operation === "SELECT" ? null : writing.exec(text)?.filter((part) => part !== undefined);
  if (found != null) return { operation: `${found[1]}`.toUpperCase(), table: tableOf(found[2]) };
  const isRead = operation === "SELECT" || operation === "WITH";
  return {
    operation: isRead ? "SELECT" : operation,
    table: isRead ? tableOf(reading.exec(text)?.[1]) : null,
  };
}

function tableOf(name: string | undefined): string | null {
  return name === undefined ? null : name.replaceAll('"', "");
}
