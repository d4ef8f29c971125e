import { asStep } from "../../core/concurrency/index.ts";
import { readerOf, type TextRow } from "../../core/database/index.ts";
import { UnsupportedValue } from "../../core/errors/index.ts";
import type { AppSql, CallScope, RunStatement } from "../../hooks/context/index.ts";
import { type AppDatabaseSource, runWrite } from "./call-mode.ts";

/** `context.sql`: one statement, in the current transaction if there is one. */
export function appSql(app: AppDatabaseSource, scope: CallScope): AppSql {
  return <Row>(text: TemplateStringsArray, ...values: readonly unknown[]) =>
    runWrite<Row[]>(scope, async () => {
      const { rows } = await runSql<Row>(app, scope, { name: "context.sql", text: textOf(text), values });
      return rows;
    });
}

/** Runs the statements of `context.kysely` like those of `context.sql`. */
export function statementRunner(app: AppDatabaseSource, scope: CallScope): RunStatement {
  return (text, values) =>
    runWrite(scope, () => runSql(app, scope, { name: "context.kysely", text, values }));
}

/** `name`: in messages. */
async function runSql<Row>(
  { services }: AppDatabaseSource,
  { transaction, origin: { trace } }: CallScope,
  { name, text, values }: { name: string; text: string; values: readonly unknown[] },
) {
  refuseStatement(name, text);
  const bound = values.map((value, index) => boundValue(name, value, index));
  const connection = transaction ?? services.database;
  const run = () => connection.run({ name: null, text, described: true }, bound);
  const [tag, names, types, ...rows] = await asStep(trace, "sql", run, text);
  const [, count] = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag?.[0] ?? "") ?? [];
  return {
    rows: objectsOf<Row>(rows, names, types),
    ...(count !== undefined && { numAffectedRows: BigInt(count) }),
  };
}

/** Not comments in comments, which PostgreSQL nests. */
const comments = /^(?:\s|;|--[^\r\n]*(?:[\r\n]|$)|\/\*(?:(?!\/\*|\*\/)[\s\S])*\*\/)*/;
const bounds =
  /^(?:begin|start\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\s+transaction)\b/i;

/** Statements whose effect would outlive the transaction on a shared connection. */
const lasting =
  /^(?:set(?!\s+(?:local|constraints|transaction)\b)|reset|discard|listen|unlisten|deallocate|prepare|load|declare\b[\s\S]*\bwith\s+hold)\b/i;

/** Makes a temporary table or view, which later requests would find before the real one. */
const temporary =
  /\bpg_temp\b|(?:\bcreate\s+(?:or\s+replace\s+)?|^(?:select|with|explain)\b[\s\S]*(?<!\binsert\s)\binto\s+)(?:(?:local|global)\s+)?temp(?:orary)?\s+\w/i;

function textOf(text: TemplateStringsArray): string {
  if (!Array.isArray(text) || !Array.isArray(text.raw))
    throw new TypeError(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how one is written
      "context.sql is a template tag: write context.sql`… ${value} …`, so that each value becomes a bound parameter",
    );
  return text.slice(1).reduce((sql, part, index) => `${sql}$${index + 1}${part}`, text[0] ?? "");
}

/** Errors: `TypeError` for statements that end the transaction or change the connection. */
function refuseStatement(name: string, text: string): void {
  const bare = text.replace(comments, "");
  if (bare.startsWith("/*"))
    throw new TypeError(`${name} cannot begin with a comment that contains another one, or has no end`);
  if (bounds.test(bare))
    throw new TypeError(`${name} cannot begin or end a transaction: use context.db.transaction()`);
  if (lasting.test(bare) || (temporary.test(bare) && !/\bon\s+commit\s+drop\b/i.test(bare)))
    throw new TypeError(
      `${name} cannot change its connection, because other calls use it next: use SET LOCAL, set_config(…, true) or ON COMMIT DROP`,
    );
}

/** A bound value. Errors: `TypeError` for values that would be bound as NULL or as their name. */
function boundValue(name: string, value: unknown, index: number): unknown {
  if (hasNoValue(value))
    throw new TypeError(
      `value ${index + 1} of ${name} is ${value === undefined ? "undefined: use null for NULL" : `a ${nameOf(value)}`}`,
    );
  return withBytes(value);
}

function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
}

function hasNoValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNoValue);
  return (
    value === undefined ||
    typeof value === "function" ||
    typeof value === "symbol" ||
    value instanceof Promise
  );
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "list that contains undefined, a function, a symbol or a promise";
  return value instanceof Promise ? "promise: await it" : typeof value;
}

/** The rows with the names and type ids of their columns. */
function objectsOf<Row>(rows: readonly TextRow[], names: TextRow = [], types: TextRow = []): Row[] {
  const columns = names.map((name, index) => ({ name, read: readerOf(Number(types[index])) ?? String }));
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(({ name, read }, index) => {
        const text = row[index];
        return [name, text == null ? null : readValue(name, text, read)];
      }),
    ),
  );
}

function readValue(field: string | null, text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
  } catch (error) {
    throw error instanceof UnsupportedValue
      ? new UnsupportedValue(error.text, { field: field ?? "" })
      : error;
  }
}
