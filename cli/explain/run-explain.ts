import { defaultPlaces } from "#generator/diagnostics/command";
import { renderDiagnostics } from "#generator/diagnostics/index";
import { readDefinition } from "#generator/pipeline/generate";
import { readDatabaseUrl, readLogFormat } from "#runtime/core/config/index";
import { createDatabase, type Database, type Transaction } from "#runtime/core/database/index";
import {
  commandOutput,
  createLog,
  embeddedDatabaseUrl,
  explain,
  loadEnvironment,
  modelsChanged,
  statementTimeoutMs,
  supervise,
} from "#runtime/process/index";
import type { LoadService } from "../app/lazy-service.ts";
import { explainOperation } from "./explain.ts";
import {
  type ExplainedDocument,
  type ExplainRequest,
  type Explanation,
  WrongArguments,
} from "./explanation.ts";
import { printExplainedDocument, printExplanation } from "./print-explanation.ts";
import type { ExplainedApp } from "./subject.ts";
import { rolledBack } from "./trial.ts";

/** Runs `kirak explain` as this process. */
export async function runExplain(request: ExplainRequest, root: string, load: LoadService): Promise<never> {
  return supervise(async (closers) => {
    process.exitCode = 1;
    const { definition, diagnostics, sources } = await readDefinition({
      root,
      ...defaultPlaces,
      schemas: false,
    });
    if (definition === null) return failed(2, renderDiagnostics(diagnostics, sources));
    if (modelsChanged(root))
      return failed(2, "models/ changed after generated/ was written: run npx kirak generate");
    const service = await load(root);
    const environment = loadEnvironment(root);
    const log = createLog("explain", "warn", commandOutput(readLogFormat(environment)));
    const url = readDatabaseUrl(environment) ?? (await embeddedDatabaseUrl(root, log, closers));
    const database = createDatabase({ url, maxConnections: 1, statementTimeoutMs, log });
    closers.add(() => database.close());
    try {
      const explained = await inRolledBack(database, (connection) =>
        explainAny({ definition, sources, service, connection }, request),
      );
      process.stdout.write(request.json ? `${JSON.stringify(explained, null, 2)}\n` : printed(explained));
      process.exitCode = explained.answer.outcome === "allowed" ? 0 : 1;
    } catch (error) {
      if (error instanceof WrongArguments) return failed(2, error.message);
      const known = knownProblem(error);
      if (known !== null) return failed(3, known);
      const message = explain(error);
      if (!message.startsWith("the database cannot be reached")) throw error;
      failed(3, message);
    }
  });
}

/** Loads graphql-js only for a document. */
async function explainAny(
  app: ExplainedApp,
  request: ExplainRequest,
): Promise<Explanation | ExplainedDocument> {
  if (request.graphql === null) return explainOperation(app, request);
  const { explainDocument } = await import("./explain-graphql.ts");
  return explainDocument(app, request);
}

function printed(explained: Explanation | ExplainedDocument): string {
  return "fields" in explained ? printExplainedDocument(explained) : printExplanation(explained);
}

const unmigrated = "the database lacks a table or a column of the models: run npx kirak migrate";

/** By error code of PostgreSQL. */
const problems: ReadonlyMap<unknown, string> = new Map([
  ["42P01", unmigrated],
  ["42703", unmigrated],
  ["55P03", "another transaction has locked a row that the write changes: try again"],
  ["25006", "the database only reads: explain writes on its primary"],
]);

function knownProblem(error: unknown): string | null {
  return error instanceof Error && "code" in error ? (problems.get(error.code) ?? null) : null;
}

function failed(code: 2 | 3, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}

/** Runs work in a transaction that is rolled back. It does not wait long for locks of others. */
export function inRolledBack<Result>(
  database: Database,
  work: (connection: Transaction) => Promise<Result>,
): Promise<Result> {
  return rolledBack(
    (act: (transaction: Transaction) => Promise<never>) => database.transaction(act),
    async (transaction) => {
      await transaction.run({ name: null, text: "set local lock_timeout = '2s'" }, []);
      return work(transaction);
    },
  );
}
