import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { lockFile } from "../../vocabulary/models-folder.ts";
import {
  type Config,
  ConfigError,
  inServiceSchema,
  readConfig,
  serviceSchemaOf,
  type Variables,
} from "../core/config/index.ts";
import { serviceMigrations } from "../migrations/built-in/index.ts";
import type { CodeMigrations } from "../migrations/runner/index.ts";
import { Closers, codeFormatRefusal, modelsChanged } from "../process/index.ts";
import type { Service } from "../server/service.ts";
import { captureLog, type LogLine } from "./captured-log.ts";
import { reservePort } from "./reserved-port.ts";
import { serveForTests } from "./serve-for-tests.ts";
import { databasePrefix, freshDatabase } from "./test-database.ts";
import { findTestServer } from "./test-server.ts";
import type { TestOptions, TestService } from "./test-service.ts";
import { TestServiceError } from "./test-service-error.ts";
import { variablesOf } from "./test-settings.ts";

/** Locations of a test service. */
interface TestPlace {
  readonly root: string;
  /** Its URL. */
  readonly url: string;
  readonly databaseUrl: string;
  /** The folder for the service's files. */
  readonly folder: string;
}

const cheapestCost = 4;
/** A machine that runs many tests is slow. */
const longestWaitMs = 10_000;

/** The app's configuration without providers and slow settings. Ignores the environment of the process. */
function testConfig(place: TestPlace, { settings = {}, environment = {} }: TestOptions): Config {
  const config = readTestConfig(place.root, {
    ...secrets(),
    ...variablesOf({
      base_url: place.url,
      rate_limit: { enabled: false },
      // Tests have neither their secrets nor access to them.
      auth: { social_providers: [] },
      storage: { provider: "local", root: join(place.folder, "files") },
      monitoring: { db_path: join(place.folder, "monitoring.sqlite") },
    }),
    ...variablesOf(settings),
    ...environment,
    SERVICE_DATABASE_URL: place.databaseUrl,
  });
  return {
    ...config,
    auth: { ...config.auth, bcryptCost: cheapestCost },
    // A busy machine must not fail the tests of an app.
    server: { ...config.server, maxEventLoopDelayMs: Number.POSITIVE_INFINITY },
    rateLimit: { ...config.rateLimit, longestWaitMs },
  };
}

function readTestConfig(root: string, environment: Variables): Config {
  try {
    return readConfig({ root, manifestPath: join(root, "models", "manifest.json"), environment });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new TestServiceError(
      `${error.message}\nThe app's folder is ${root}; set \`root\` to another folder.`,
      {
        cause: error,
      },
    );
  }
}

/** Random secrets for one service. */
function secrets(): Variables {
  const secret = () => randomBytes(32).toString("base64url");
  return {
    SERVICE_AUTH_JWT_SECRET_KEY: secret(),
    SERVICE_AUTH_API_KEY_SECRET: secret(),
    SERVICE_AUTH_VERIFICATION_KEY: secret(),
    SERVICE_AUTH_ENCRYPTION_KEY: secret(),
    // For message providers, whose messages are captured.
    SERVICE_SMTP_URL: "smtp://127.0.0.1:1",
    SERVICE_SMS_WEBHOOK_SECRET: secret(),
    SERVICE_TWILIO_ACCOUNT_SID: "tests",
    SERVICE_TWILIO_AUTH_TOKEN: "tests",
  };
}

/**
 * Starts a service for tests on a free port of this machine, with its own database, which is dropped when it
 * stops. Throws a TestServiceError that names what is missing.
 */
export async function startTestService(service: Service, options: TestOptions = {}): Promise<TestService> {
  const closers = new Closers();
  try {
    return await start(service, { ...options, root: resolve(options.root ?? ".") }, closers);
  } catch (error) {
    await closers.run();
    throw error;
  }
}

type Options = TestOptions & { readonly root: string };

async function start(service: Service, options: Options, closers: Closers): Promise<TestService> {
  const { root, printLog = false } = options;
  requireGenerated(root);
  const lines: LogLine[] = [];
  // Also for migrations. Of concurrent test files, any one can run them.
  const early = captureLog(lines, service.name, "warn", printLog);
  const databaseUrl = await createTestDatabase(service, options, early, closers);
  const folder = mkdtempSync(join(tmpdir(), "kirak-testing-"));
  closers.add(() => rmSync(folder, { recursive: true, force: true }));
  const port = await reservePort();
  closers.add(() => port.free());
  const config = testConfig({ root, url: port.url, databaseUrl, folder }, options);
  const log = captureLog(lines, config.name, config.server.logLevel, printLog);
  return serveForTests(service, options, { config, log, lines, port, databaseUrl }, closers);
}

async function createTestDatabase(
  service: Service,
  { root, databaseUrl, keptDatabase }: Options,
  log: Logger,
  closers: Closers,
): Promise<string> {
  const content = {
    ...(await appMigrations(service.migrations)),
    queue: service.usesQueue,
  };
  const found = await findTestServer(root, databaseUrl, log);
  closers.add(() => found.stop());
  const server = { ...found, url: inServiceSchema(found.url, serviceSchemaOf(root)) };
  const prefix = databasePrefix(service.name, server.url);
  const database = await freshDatabase(server, content, { prefix, log });
  closers.add(async () =>
    keptDatabase === undefined ? database.drop() : keptDatabase(await database.keep()),
  );
  return database.url;
}

/** All migrations of an app. Imported here, so that a test runner that inlines this folder compiles them. */
async function appMigrations(folder: URL | null): Promise<CodeMigrations> {
  try {
    return await serviceMigrations(folder, undefined, (url) => import(url));
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_UNKNOWN_FILE_EXTENSION")
      throw error;
    throw new TestServiceError(
      'Node.js needs a loader for TypeScript migrations: in Vitest set `server: { deps: { inline: ["kirak/lib/cli/testing", "kirak/lib/runtime/testing"] } }` in `test` of its configuration; otherwise use a loader such as tsx',
      { cause: error },
    );
  }
}

/** Throws a TestServiceError if generated code does not match the models or this runtime. */
function requireGenerated(root: string): void {
  const lock = join(root, "generated", lockFile);
  // A build in another folder can lack it.
  const refusal = existsSync(lock) ? codeFormatRefusal(readFileSync(lock, "utf8")) : null;
  if (refusal !== null) throw new TestServiceError(refusal);
  if (modelsChanged(root))
    throw new TestServiceError("models/ changed after generated/ was written: run npm run generate");
}
