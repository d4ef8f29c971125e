import { join } from "node:path";
import express from "express";
import pg from "pg";
import pino, { type Logger } from "pino";
import { afterAll } from "vitest";
import { BackgroundTasks } from "#runtime/core/concurrency/deferred-tasks";
import { type Config, readConfig } from "#runtime/core/config/index";
import { createDatabase, type Database, type DatabaseOptions } from "#runtime/core/database/index";
import { createHttpServer, createServer, type ServerOptions, type Service } from "#runtime/index";
import type { Monitoring } from "#runtime/modules/monitoring/index";
import type { LineCapture } from "#runtime/process/captured-output";
import { listen } from "#runtime/process/http-lifecycle";
import { createLog } from "#runtime/process/log";
import { serviceDatabase, type TestDatabase, testDatabase } from "./database.ts";
import type { AnswerCheck } from "./described.ts";
import { type Reply, type Sent, sendRequest } from "./request.ts";
import { type Caller, jwtSecret, tokenOf } from "./service-token.ts";

const root = join(import.meta.dirname, "..", "http", "fixture");

/** A value to store: JSON for `json` columns. */
export type Stored = Readonly<Record<string, unknown>>;

/** Rows by table, in the order in which the tables are filled. */
export type Rows = Readonly<Record<string, readonly Stored[]>>;

export interface TestService {
  readonly origin: string;
  readonly config: Config;
  /** Of its database. */
  readonly url: string;
  /** Of the service itself. */
  readonly pool: Database;
  readonly lifecycle: { stopping: boolean };
  /** Log lines so far. */
  readonly log: Record<string, unknown>[];
  query: TestDatabase["query"];
  /** Resolves when what goes on after answers is over. */
  settled(): Promise<void>;
  send(sent: Sent, as?: Caller): Promise<Reply>;
  /** Empties all tables, then stores these rows. */
  store(rows: Rows): Promise<void>;
}

type Sections = "social" | "server" | "auth" | "secrets" | "email" | "sms" | "rateLimit";

export type Settings = Partial<Omit<Config, Sections>> & {
  readonly [Section in Sections]?: Partial<Config[Section]>;
};

/** Options of a test service in addition to its database. */
export interface Peers
  extends Pick<
    ServerOptions,
    "cache" | "counting" | "eventLoopDelayMs" | "mailer" | "now" | "overview" | "resolveProvider"
  > {
  /** How it connects to its database; default as a service does. */
  readonly connecting?: Pick<
    DatabaseOptions,
    "acquireTimeoutMs" | "answerTimeoutMs" | "maxConnections" | "mostWaiting" | "namedStatements"
  >;
  /** Whether a 403 has the command that explains it. Null: as without this option. */
  readonly explains?: boolean | null;
  /** SQL that makes its tables; default its migrations. Ids then begin at 1. */
  readonly tables?: string;
  /** Where its log goes; default `TestService.log`. */
  readonly logger?: Logger;
  /** The way to its database; default straight. */
  readonly reach?: (url: string) => Promise<string>;
  /** Where an application has mounted it; default at the root. */
  readonly mountedAt?: string;
  /** Checks each answer. */
  readonly described?: AnswerCheck;
  /** Where it listens; default a port that the system chooses. */
  readonly port?: number;
  /** What the service gets in place of its database. */
  readonly watch?: (database: Database) => Database;
  /** Its monitoring, which is closed after it; default none. */
  readonly monitor?: (options: Pick<ServerOptions, "config" | "log">) => Monitoring | null;
  /** Keeps lines of its log, masked as those of a process. Default none. */
  readonly capture?: LineCapture | null;
}

/** Ids that the server makes begin here; below it tests choose their own. */
const firstOwnId = 1000;

/** A service on a database of its own, both closed after the test file. `settings` replace those of the fixture's manifest. */
export async function anyService(
  served: Service,
  settings: Settings = {},
  {
    reach = async (url) => url,
    watch = (database) => database,
    monitor = () => null,
    capture = null,
    connecting,
    tables: sql,
    logger: ownLog,
    mountedAt = "/",
    port = 0,
    explains = false,
    described = () => undefined,
    ...peers
  }: Peers = {},
): Promise<TestService> {
  const { url, query } = await (sql === undefined ? serviceDatabase(served) : testDatabase());
  const clear = sql === undefined ? await prepareTables(query) : "";
  if (sql !== undefined) await query(sql);
  const log: Record<string, unknown>[] = [];
  const lines = { write: (line: string) => void log.push(JSON.parse(line)) };
  const kept = capture === null ? pino({ level: "info" }, lines) : createLog("tests", "info", lines, capture);
  const logger = ownLog ?? kept;
  const pool = createDatabase({ url: await reach(url), maxConnections: 10, ...connecting, log: logger });
  const lifecycle = { stopping: false };
  const config = readTestConfig(settings);
  const background = new BackgroundTasks(logger);
  const monitoring = monitor({ config, log: logger });
  const { origin, close } = await serve(
    served,
    { mountedAt, port },
    {
      config,
      database: watch(pool),
      log: logger,
      lifecycle,
      background,
      monitoring,
      ...(explains !== null && { explains }),
      ...peers,
    },
  );
  afterAll(async () => {
    close();
    await background.drain();
    await monitoring?.close();
    await pool.close();
  });
  return {
    origin,
    config,
    url,
    pool,
    lifecycle,
    log,
    query,
    settled: () => background.drain(),
    send: async (sent, as = null) => {
      const reply = await sendRequest(origin, { ...sent, headers: { ...credential(as), ...sent.headers } });
      described(sent, reply);
      return reply;
    },
    async store(rows) {
      const inserts = Object.entries(rows).flatMap(([table, list]) =>
        list.map((row) => insertOf(table, row)),
      );
      await query([clear, ...inserts].join("\n"));
    },
  };
}

/**
 * Rate limits are off unless a test turns them on: all requests come from one address. Then they are patient with a machine
 * that is busy, and such a machine makes no request 503.
 */
function readTestConfig({
  social,
  server,
  auth,
  secrets,
  email,
  sms,
  rateLimit,
  ...settings
}: Settings): Config {
  const config = readConfig({
    root,
    manifestPath: join(root, "manifest.json"),
    environment: { SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret, SERVICE_DATABASE_URL: "postgres://unused" },
  });
  return {
    ...config,
    ...settings,
    social: { ...config.social, ...social },
    server: { ...config.server, maxEventLoopDelayMs: Number.POSITIVE_INFINITY, ...server },
    auth: { ...config.auth, bcryptCost: 4, ...auth },
    secrets: { ...config.secrets, ...secrets },
    email: { ...config.email, ...email },
    sms: { ...config.sms, ...sms },
    rateLimit: { ...config.rateLimit, enabled: false, longestWaitMs: 10_000, ...rateLimit },
  };
}

async function serve(
  served: Service,
  { mountedAt, port }: Required<Pick<Peers, "mountedAt" | "port">>,
  options: ServerOptions,
) {
  const app = createServer(served, options);
  const server = createHttpServer(mountedAt === "/" ? app : express().use(mountedAt, app));
  const origin = await listen(server, port, "127.0.0.1");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin, close };
}

/** Prepares the tables of a new database, and returns the SQL that empties them. */
async function prepareTables(query: TestDatabase["query"]): Promise<string> {
  await query("SET TimeZone = 'UTC'");
  const sequences = await query("SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'");
  for (const { name } of sequences) await query(`ALTER SEQUENCE "${name}" RESTART WITH ${firstOwnId}`);
  const found = await query(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kirak%'",
  );
  const tables = `'{${found.map(({ name }) => JSON.stringify(name)).join()}}'::regclass[]`;
  // A table without a file had no row yet. Without triggers the order of tables that refer to each other does not matter.
  return `SET LOCAL session_replication_role = replica;
    DO $$ DECLARE filled regclass; BEGIN
      FOR filled IN SELECT t FROM unnest(${tables}) AS t WHERE pg_relation_size(t) > 0 LOOP
        EXECUTE format('DELETE FROM %s', filled);
      END LOOP;
    END $$;
    SET LOCAL session_replication_role = origin;`;
}

function insertOf(table: string, row: Stored): string {
  const names = Object.keys(row).map((name) => `"${name}"`);
  return `INSERT INTO "${table}" (${names.join()}) VALUES (${Object.values(row).map(literalOf).join()});`;
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  return pg.escapeLiteral(typeof value === "object" ? JSON.stringify(value) : String(value));
}

function credential(as: Caller): Record<string, string> {
  return as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` };
}
