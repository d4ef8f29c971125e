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
  /**
   * Runs one statement with parameters, or several without. Gives its rows, by the names of their columns.
   */
  query<Row = Readonly<Record<string, unknown>>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A running service for tests, with its own database. */
export interface TestService extends AsyncDisposable {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly request: SendRequest;
  /**
   * Makes an account that is verified and active, and can sign in; no hook runs. Gives who it is, for `as`.
   */
  createUser(user?: NewUser): Promise<TestUser>;
  /** An access token for a role, good for an hour. */
  token(caller: TestCaller): string;
  readonly database: TestDatabase;
  /** Mails so far, the oldest first. Those of the app's own code are sent by jobs. */
  readonly mails: readonly TestMail[];
  /** Text messages so far, the oldest first. */
  readonly texts: readonly TestSms[];
  readonly jobs: AppJobs;
  /**
   * Runs the jobs whose time has come, and those that they send, until none is due. Nothing else runs them.
   * Throws where an attempt has failed, once the others have run.
   */
  runJobs(options?: RunJobsOptions): Promise<void>;
  /** Resolves when deferred work is done, such as mails of accounts and `afterCommit` callbacks. */
  settled(): Promise<void>;
  /** Lines of its log so far. */
  readonly log: readonly LogLine[];
  /** Stops it, and drops its database. */
  stop(): Promise<void>;
}

/** What a test wants otherwise than usual. */
export interface TestOptions extends Pick<ServeOptions, "createApp"> {
  /** The app's folder, with `models/manifest.json`; default the working folder. */
  readonly root?: string;
  /** Keys of the manifest that are to have other values, by section: `{ rate_limit: { enabled: true } }`. */
  readonly settings?: TestSettings;
  /**
   * Variables of the service, such as `SERVICE_MONITORING_INGESTION_KEY`. Those of the process do not count.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * A PostgreSQL on which databases may be made; default `SERVICE_TEST_DATABASE_URL`, and an embedded one
   * without it.
   */
  readonly databaseUrl?: string;
  /** Whether lines of the log are printed. They are kept in any case. */
  readonly printLog?: boolean;
  /** Whether the module `monitoring` records, where the app has it. */
  readonly monitoring?: boolean;
}
