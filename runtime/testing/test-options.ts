import type { ServeOptions } from "../process/start.ts";
import type { TestSettings } from "./test-settings.ts";

/** What a test wants otherwise than usual. */
export interface TestOptions extends Pick<ServeOptions, "createApp"> {
  /** The app's folder, with `models/manifest.json`; default the working folder. */
  readonly root?: string;
  /** Keys of the manifest that are to have other values, by section: `{ rate_limit: { enabled: true } }`. */
  readonly settings?: TestSettings;
  /** Variables of the service, such as `SERVICE_MONITORING_INGESTION_KEY`. Those of the process do not count. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A PostgreSQL on which databases may be made; default `SERVICE_TEST_DATABASE_URL`, and an embedded one without it. */
  readonly databaseUrl?: string;
  /** Whether lines of the log are printed. They are kept in any case. */
  readonly printLog?: boolean;
  /** Whether the module `monitoring` records, where the app has it. */
  readonly monitoring?: boolean;
}
