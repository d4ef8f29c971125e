import type { AppJobs } from "../hooks/context/index.ts";
import type { ServeOptions } from "../process/start.ts";
import type { LogLine } from "./captured-log.ts";
import type { TestMail, TestSms } from "./captured-messages.ts";
import type { NewUser, TestUser } from "./create-user.ts";
import type { RunJobsOptions } from "./run-due-jobs.ts";
import type { TestCaller } from "./test-caller.ts";
import type { SendRequest } from "./test-request.ts";
import type { TestSettings } from "./test-settings.ts";

/** The database of a service under test. */
export interface TestDatabase {
  readonly url: string;
  /** Runs one statement with parameters, or several without. Returns the rows of the last one. */
  query<Row = Readonly<Record<string, unknown>>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A running service for tests, with its own database. */
export interface TestService extends AsyncDisposable {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly request: SendRequest;
  /** Creates a verified and active account without running hooks. Returns its data, for `as` of a request. */
  createUser(user?: NewUser): Promise<TestUser>;
  /** An access token for a role, valid for an hour. */
  token(caller: TestCaller): string;
  readonly database: TestDatabase;
  /** Mails so far, oldest first. Mails of the app's code are sent by jobs. */
  readonly mails: readonly TestMail[];
  /** Text messages so far, oldest first. */
  readonly texts: readonly TestSms[];
  readonly jobs: AppJobs;
  /**
   * Runs due jobs, and the jobs that they send, until none is due. No other process runs them. Rejects if an
   * attempt failed, after the others have run.
   */
  runJobs(options?: RunJobsOptions): Promise<void>;
  /** Resolves when deferred work is done, such as mails of accounts and `afterCommit` callbacks. */
  settled(): Promise<void>;
  /** Log lines so far. */
  readonly log: readonly LogLine[];
  /** Stops the service and drops its database. */
  stop(): Promise<void>;
}

/** Options of a test service. */
export interface TestOptions extends Pick<ServeOptions, "createApp"> {
  /** The app's folder, with `models/manifest.json`; default: the working folder. */
  readonly root?: string;
  /** Manifest keys with other values, by section: `{ rate_limit: { enabled: true } }`. */
  readonly settings?: TestSettings;
  /** Environment variables such as `SERVICE_MONITORING_INGESTION_KEY`. Those of the process are ignored. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Server for test databases; default: `SERVICE_TEST_DATABASE_URL`, or an embedded one. */
  readonly databaseUrl?: string;
  /** Keeps the database when the service stops, and gets its URL. */
  readonly keptDatabase?: (url: string) => void;
  /** Whether log lines are printed. `log` has them in any case. */
  readonly printLog?: boolean;
  /** Whether the monitoring module records, if the app has it. */
  readonly monitoring?: boolean;
}
