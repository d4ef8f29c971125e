import { defaultPlaces } from "#generator/diagnostics/command";
import { renderDiagnostics } from "#generator/diagnostics/index";
import { readDefinition } from "#generator/pipeline/generate";
import { readDatabaseUrl, readLogFormat } from "#runtime/core/config/index";
import { createDatabase, type Database, type Queryable } from "#runtime/core/database/index";
import {
  commandOutput,
  createLog,
  embeddedDatabaseUrl,
  loadEnvironment,
  modelsChanged,
  statementTimeoutMs,
  supervise,
  explain,
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

/** Runs `kirak explain` as this process. */
export async function runExplain(request: ExplainRequest, root: string, load: LoadService): Promise<never> {
  return supervise(async (closers) => {
    process.exitCode = 1;
    const { definition, diagnostics, sources } = await readDefinition({ root, ...defaultPlaces });
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
      const explained = await inReadOnly(database, (connection) =>
        explainAny({ definition, sources, service, connection }, request),
      );
      process.stdout.write(request.json ? `${JSON.stringify(explained, null, 2)}\n` : printed(explained));
      process.exitCode = explained.answer.outcome === "allowed" ? 0 : 1;
    } catch (error) {
      if (error instanceof WrongArguments) return failed(2, error.message);
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

function failed(code: 2 | 3, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}

/** Ends a transaction with a result, without a commit. */
class RolledBack extends Error {}

/** Runs work in a transaction in which PostgreSQL refuses each write, and rolls it back. */
export async function inReadOnly<Result>(
  database: Database,
  work: (connection: Queryable) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = [];
  try {
    await database.transaction(async (transaction) => {
      await transaction.run({ name: null, text: "set transaction read only" }, []);
      results.push(await work(transaction));
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  for (const result of results.slice(-1)) return result;
  throw new Error("a transaction ended without its result");
}
