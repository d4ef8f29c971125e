/**
 * The statements of a text of SQL, without comments and with what stands in quotes left empty: enough to tell what kind each one
 * is. Not a parser: PostgreSQL says what is wrong with them.
 */
export function sqlStatements(sql: string): string[] {
  const parts = sql.replace(quoted, (part) => (/^(?:--|\/\*)/.test(part) ? " " : emptied(part))).split(";");
  const statements: string[] = [];
  let body: string[] = [];
  for (const part of parts.map((text) => text.replace(/\s+/g, " ").trim())) {
    body.push(part);
    // The statements of such a body are part of the one that makes the function.
    if (/\bbegin atomic\b/i.test(body.join(";")) && !/^end\b/i.test(part)) continue;
    statements.push(body.join("; "));
    body = [];
  }
  return [...statements, body.join("; ")].filter((statement) => statement !== "");
}

const comment = String.raw`--[^\n]*|\/\*(?:[^*\/]|\*(?!\/)|\/(?!\*)|\/\*(?:[^*]|\*(?!\/))*\*\/)*\*\/`;
const text = String.raw`\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"`;
const dollar = String.raw`(?<![\w$])\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*?\$\1\$`;
const quoted = new RegExp(`${comment}|${text}|${dollar}`, "gi");

/** Names stay names. */
function emptied(part: string): string {
  return part.startsWith('"') ? '""' : "''";
}

/** Whether a statement begins or ends a transaction. */
export function endsTransaction(statement: string): boolean {
  return /^(?:begin(?! atomic)|start transaction|commit|end|abort|rollback(?! (?:work |transaction )?to\b)|prepare transaction)\b/i.test(
    statement,
  );
}

/** Whether PostgreSQL refuses a statement in a transaction. */
export function needsNoTransaction(statement: string): boolean {
  return /^(?:(?:create (?:unique )?|drop )index concurrently|reindex .*\bconcurrently|vacuum|alter system)\b/i.test(
    statement,
  );
}

/** Whether a statement fails when it is done once more, and could say that it shall not. */
export function failsTwice(statement: string): boolean {
  const repeatable = /^(?:create (?:unique )?index concurrently|alter type .* add value)\b/i;
  if (repeatable.test(statement)) return !/\bif not exists\b/i.test(statement);
  return /^drop index concurrently\b/i.test(statement) && !/\bif exists\b/i.test(statement);
}

/** Whether a statement takes no row away for certain: what it drops can be made again. */
export function losesNothing(statement: string): boolean {
  if (/^drop\b.*\bcascade\b/i.test(statement)) return false;
  return /^(?:create|comment|grant|revoke|reindex|refresh|drop (?:index|trigger|function|procedure|routine|aggregate|view|materialized view|policy|rule|statistics|operator|cast)|alter table (?:if exists )?(?:only )?\S+ (?:(?:enable|disable|force|no force) (?:row level security|(?:always |replica )?trigger \S+)|drop constraint .*))\b/i.test(
    statement,
  );
}
