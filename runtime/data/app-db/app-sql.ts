import { asStep } from "../../core/concurrency/index.ts";
import { readerOf, type Statement, type TextRow } from "../../core/database/index.ts";
import { UnsupportedValue } from "../../core/errors/index.ts";
import type { AppSql, CallScope } from "../../hooks/context/index.ts";
import { type AppDatabaseSource, runWrite } from "./call-mode.ts";

/** `context.sql`: one statement, in the current transaction if there is one. */
export function appSql({ services }: AppDatabaseSource, scope: CallScope): AppSql {
  const connection = scope.transaction ?? services.database;
  return <Row>(text: TemplateStringsArray, ...values: readonly unknown[]) =>
    runWrite<Row[]>(scope, async () => {
      const statement = statementOf(text);
      const bound = values.map(boundValue);
      const run = () => connection.run(statement, bound);
      return objectsOf(await asStep(scope.origin.trace, "sql", run, statement.text));
    });
}

const comments = /^(?:\s|;|--[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/;
const bounds =
  /^(?:begin|start\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\s+transaction)\b/i;

/** Statements whose effect would outlive the transaction on a shared connection. */
const lasting =
  /^(?:set(?!\s+(?:local|constraints|transaction)\b)|reset|discard|listen|unlisten|deallocate|prepare|load)\b/i;

function statementOf(text: TemplateStringsArray): Statement {
  if (!Array.isArray(text) || !Array.isArray(text.raw))
    throw new TypeError(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how one is written
      "context.sql is a template tag: write context.sql`… ${value} …`, so that each value becomes a bound parameter",
    );
  const whole = text.slice(1).reduce((sql, part, index) => `${sql}$${index + 1}${part}`, text[0] ?? "");
  const bare = whole.replace(comments, "");
  if (bounds.test(bare))
    throw new TypeError("context.sql cannot begin or end a transaction: use context.db.transaction()");
  if (lasting.test(bare))
    throw new TypeError(
      "context.sql cannot change settings of its connection, because other calls use it next: use SET LOCAL or set_config(…, true)",
    );
  return { name: null, text: whole, described: true };
}

/** A bound value. Errors: `TypeError` for values that would be bound as NULL or as their name. */
function boundValue(value: unknown, index: number): unknown {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (hasNoValue(value))
    throw new TypeError(
      `value ${index + 1} of context.sql is ${value === undefined ? "undefined: use null for NULL" : `a ${nameOf(value)}`}`,
    );
  return value;
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

/** The first two rows are the names and type ids of the columns. */
function objectsOf<Row>([names = [], types = [], ...rows]: readonly TextRow[]): Row[] {
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
