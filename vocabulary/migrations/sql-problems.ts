import { type SqlBatches, type SqlMigration, sqlClasses, sqlTexts } from "./sql-migration.ts";
import { endsTransaction, failsTwice, needsNoTransaction, sqlStatements } from "./sql-statements.ts";

/** What is wrong with a migration of own SQL, in words: what nobody could take back, or go on with after a stop. */
export function sqlProblems(sql: SqlMigration): string[] {
  const { up, down, transaction, batches = [] } = sql;
  if (!sqlClasses.some((name) => name === sql.class)) return [`class is one of ${sqlClasses.join(", ")}`];
  const alone = transaction === false;
  return [
    ...(sqlTexts(up).length + batches.length === 0 ? ["there is nothing to do: it needs up or batches"] : []),
    ...sqlTexts(up).flatMap((text, at) => textProblems(`up ${at + 1}`, text, alone)),
    ...sqlTexts(down).flatMap((text, at) => textProblems(`down ${at + 1}`, text, alone)),
    ...batches.flatMap((batch, at) => batchProblems(`batches ${at + 1}`, batch)),
  ];
}

function textProblems(place: string, text: string, alone: boolean): string[] {
  const statements = sqlStatements(text);
  if (statements.length === 0) return [`${place} holds no statement`];
  const ending = statements.find(endsTransaction);
  if (ending !== undefined)
    return [`${place}: ${shown(ending)}: a migration neither begins nor ends transactions`];
  if (!alone) {
    const refused = statements.find(needsNoTransaction);
    return refused === undefined
      ? []
      : [`${place}: ${shown(refused)}: PostgreSQL refuses that in a transaction: say transaction: false`];
  }
  if (statements.length > 1)
    return [
      `${place} holds ${statements.length} statements: with transaction: false each text is one, in a list`,
    ];
  const twice = statements.find(failsTwice);
  return twice === undefined
    ? []
    : [
        `${place}: ${shown(twice)}: it may run once more after a stop, and would fail then: say IF ` +
          `${/^drop\b/i.test(twice) ? "" : "NOT "}EXISTS`,
      ];
}

/** More would hold the locks of their rows for long. */
const largestBatch = 100_000;

function batchProblems(place: string, { table, size, sql }: SqlBatches): string[] {
  const statements = sqlStatements(sql);
  const [statement = ""] = statements;
  if (table.trim() === "") return [`${place}: table names no table`];
  if (!Number.isSafeInteger(size) || size < 1 || size > largestBatch)
    return [`${place}: size is a whole number from 1 to ${largestBatch}`];
  if (statements.length !== 1) return [`${place}: sql is one statement`];
  if (endsTransaction(statement)) return [`${place}: a migration neither begins nor ends transactions`];
  return /\$1\b/.test(statement) && /\$2\b/.test(statement) && !/\$(?:[3-9]|\d\d)/.test(statement)
    ? []
    : [
        `${place}: sql needs $1 and $2, the lowest and the highest id of a batch, such as id BETWEEN $1 AND $2`,
      ];
}

function shown(statement: string): string {
  return statement.length > 60 ? `${statement.slice(0, 60)}…` : statement;
}
