import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Logger } from "pino";
import { testDatabaseVariable } from "../config/index.ts";
import { EmbeddedError, startEmbedded } from "../embedded-postgres/index.ts";
import { disposable } from "./server-settings.ts";
import { TestServiceError } from "./test-service-error.ts";

/** A PostgreSQL on which tests make databases. */
export interface TestServer {
  /** Of a database that is there already, and stays as it is. */
  readonly url: string;
  /** Whether nothing else is kept there. */
  readonly isOurs: boolean;
  stop(): Promise<void>;
}

/** The server that an option or the environment names, else the embedded one of the app's tests, which all of its processes share. */
export async function findTestServer(
  root: string,
  named: string | undefined,
  log: Logger,
): Promise<TestServer> {
  const url = named || namedServer(root);
  if (url === null) return embeddedServer(root, log);
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new TestServiceError(
      `${testDatabaseVariable} must be a URL that begins with postgres:// or postgresql://`,
    );
  return { url, isOurs: false, async stop() {} };
}

/** Of the environment, and of `.env`, where the other variables of an app stand. */
function namedServer(root: string): string | null {
  const path = join(root, ".env");
  const file = existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
  return process.env[testDatabaseVariable] || file[testDatabaseVariable] || null;
}

async function embeddedServer(root: string, log: Logger): Promise<TestServer> {
  const home = join(root, "var", "kirak", "testing");
  try {
    return { ...(await startEmbedded({ home, settings: disposable, log })), isOurs: true };
  } catch (error) {
    if (!(error instanceof EmbeddedError)) throw error;
    throw new TestServiceError(error.message.replaceAll("SERVICE_DATABASE_URL", testDatabaseVariable), {
      cause: error,
    });
  }
}
