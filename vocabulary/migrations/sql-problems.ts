import { type SqlBatches, type SqlMigration, sqlClasses, sqlTexts } from "./sql-migration.ts";

/**
 * Splits SQL into statements, without comments and with empty quotes. This is enough to classify each statement. It is not a
 * parser: PostgreSQL reports syntax errors.
 */
export function sqlStatements(sql: string): string[] {
  const parts = sql.replace(quoted, (part) => (/^(?:--|\/\*)/.test(part) ? " " : emptied(part))).split(";");
  const statements: string[] = [];
  let body: string[] = [];
  for (const part of parts.map((text) => text.replace(/\s+/g, " ").trim())) {
    body.push(part);
    // The statements of a function body belong to the statement that creates the function.
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

/** Empty quotes of the same kind, so that a quoted name stays a name. */
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

/** Whether a statement fails when it is repeated, because it lacks IF NOT EXISTS or IF EXISTS. */
export function failsWhenRepeated(statement: string): boolean {
  const repeatable = /^(?:create (?:unique )?index concurrently|alter type .* add value)\b/i;
  if (repeatable.test(statement)) return !/\bif not exists\b/i.test(statement);
  return /^drop index concurrently\b/i.test(statement) && !/\bif exists\b/i.test(statement);
}

/** Whether a statement certainly loses no data. Everything that it drops can be created again. */
export function losesNothing(statement: string): boolean {
  if (/^drop\b.*\bcascade\b/i.test(statement)) return false;
  return /^(?:create|comment|grant|revoke|reindex|refresh|drop (?:index|trigger|function|procedure|routine|aggregate|view|materialized view|policy|rule|statistics|operator|cast)|alter table (?:if exists )?(?:only )?\S+ (?:(?:enable|disable|force|no force) (?:row level security|(?:always |replica )?trigger \S+)|drop constraint .*))\b/i.test(
    statement,
  );
}

/** Returns the problems of custom SQL, in words, such as statements that cannot be repeated after a crash. */
export function sqlProblems(sql: SqlMigration): string[] {
  const { up, down, transaction, batches = [] } = sql;
  if (!sqlClasses.some((name) => name === sql.class))
    return [`class must be one of ${sqlClasses.join(", ")}`];
  const withoutTransaction = transaction === false;
  return [
    ...(sqlTexts(up).length + batches.length === 0 ? ["the migration needs up or batches"] : []),
    ...sqlTexts(up).flatMap((text, at) => textProblems(`up ${at + 1}`, text, withoutTransaction)),
    ...sqlTexts(down).flatMap((text, at) => textProblems(`down ${at + 1}`, text, withoutTransaction)),
    ...batches.flatMap((batch, at) => batchProblems(`batches ${at + 1}`, batch)),
  ];
}

function textProblems(place: string, text: string, withoutTransaction: boolean): string[] {
  const statements = sqlStatements(text);
  if (statements.length === 0) return [`${place} has no statement`];
  const ending = statements.find(endsTransaction);
  if (ending !== undefined)
    return [`${place}: ${shown(ending)}: a migration must not begin or end transactions`];
  if (!withoutTransaction) {
    const refused = statements.find(needsNoTransaction);
    return refused === undefined
      ? []
      : [`${place}: ${shown(refused)}: PostgreSQL refuses this in a transaction: set transaction: false`];
  }
  if (statements.length > 1)
    return [
      `${place} has ${statements.length} statements: with transaction: false, write a list of texts with one statement each`,
    ];
  const twice = statements.find(failsWhenRepeated);
  return twice === undefined
    ? []
    : [
        `${place}: ${shown(twice)}: it can run again after an interruption, and would then fail: write IF ` +
          `${/^drop\b/i.test(twice) ? "" : "NOT "}EXISTS`,
      ];
}

/** Larger batches would lock their rows for too long. */
const largestBatch = 100_000;

function batchProblems(place: string, { table, size, sql }: SqlBatches): string[] {
  const statements = sqlStatements(sql);
  const [statement = ""] = statements;
  if (table.trim() === "") return [`${place}: table is empty`];
  if (!Number.isSafeInteger(size) || size < 1 || size > largestBatch)
    return [`${place}: size must be a whole number from 1 to ${largestBatch}`];
  if (statements.length !== 1) return [`${place}: sql must be one statement`];
  if (endsTransaction(statement)) return [`${place}: a migration must not begin or end transactions`];
  return /\$1\b/.test(statement) && /\$2\b/.test(statement) && !/\$(?:[3-9]|\d\d)/.test(statement)
    ? []
    : [
        `${place}: sql needs $1 and $2, the lowest and the highest id of a batch, such as id BETWEEN $1 AND $2`,
      ];
}

function shown(statement: string): string {
  return statement.length > 60 ? `${statement.slice(0, 60)}…` : statement;
}
