import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { parseEnvFile, testDatabaseVariable } from "../core/config/index.ts";
import { EmbeddedError, findBinaries, startEmbedded } from "../migrations/embedded-postgres/index.ts";
import { TestServiceError } from "./test-service-error.ts";

/** Settings of a server whose data is disposable: it need not write to the disk. */
export const disposableSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "256MB",
  shared_buffers: "64MB",
  // For concurrent test files on a machine with many cores.
  max_connections: "500",
};

/** A PostgreSQL server on which tests create databases. */
export interface TestServer {
  /** The URL of an existing database, which is not changed. */
  readonly url: string;
  /** Whether the server is only for tests. */
  readonly isDisposable: boolean;
  stop(): Promise<void>;
}

/** The server of the option or the environment, otherwise the embedded one, shared by all test processes. */
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
  return { url, isDisposable: false, async stop() {} };
}

/** The URL in the environment or in `.env`. */
function namedServer(root: string): string | null {
  const path = join(root, ".env");
  const file = existsSync(path) ? parseEnvFile(readFileSync(path, "utf8")) : {};
  return process.env[testDatabaseVariable] || file[testDatabaseVariable] || null;
}

/** An embedded server, with a folder for its version of PostgreSQL. Deletes those of other versions. */
async function embeddedServer(root: string, log: Logger): Promise<TestServer> {
  const parent = join(root, "var", "kirak", "testing");
  try {
    const { version } = findBinaries();
    removeOthers(parent, version);
    const server = await startEmbedded({ home: join(parent, version), settings: disposableSettings, log });
    return { ...server, isDisposable: true };
  } catch (error) {
    if (!(error instanceof EmbeddedError)) throw error;
    const message = error.message.replaceAll("SERVICE_DATABASE_URL", testDatabaseVariable);
    throw new TestServiceError(
      existsSync(parent) ? `${message}\n${parent} is only for tests and can be removed` : message,
      { cause: error },
    );
  }
}

function removeOthers(parent: string, version: string): void {
  const names = existsSync(parent) ? readdirSync(parent) : [];
  for (const name of names.filter((name) => name !== version))
    rmSync(join(parent, name), { recursive: true, force: true });
}
