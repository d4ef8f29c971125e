import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Config, ConfigError, readConfig, type Variables } from "../config/index.ts";
import type { TestOptions } from "./test-options.ts";
import { TestServiceError } from "./test-service-error.ts";
import { variablesOf } from "./test-settings.ts";

/** Where a service under test is. */
export interface TestPlace {
  readonly root: string;
  /** The address that it is reached at. */
  readonly url: string;
  readonly databaseUrl: string;
  /** A folder of its own for what it keeps in files. */
  readonly folder: string;
}

const cheapestCost = 4;
/** A machine that runs many tests is busy. */
const longestWaitMs = 10_000;

/** The app's manifest as it is, but for what reaches beyond the test, or slows it down. Of the environment nothing counts. */
export function testConfig(place: TestPlace, { settings = {}, environment = {} }: TestOptions): Config {
  const config = readTestConfig(place.root, {
    ...secrets(),
    ...variablesOf({
      base_url: place.url,
      rate_limit: { enabled: false },
      // Their secrets, and who would answer, are elsewhere.
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
    throw new TestServiceError(`${error.message}\nThe app's folder is ${root}; \`root\` names another one.`, {
      cause: error,
    });
  }
}

/** Of one service: nobody knows them before, and none of them is used anywhere else. */
function secrets(): Variables {
  const secret = () => randomBytes(32).toString("base64url");
  return {
    SERVICE_AUTH_JWT_SECRET_KEY: secret(),
    SERVICE_AUTH_API_KEY_SECRET: secret(),
    SERVICE_AUTH_VERIFICATION_KEY: secret(),
    SERVICE_AUTH_ENCRYPTION_KEY: secret(),
    // Of providers of messages, which are kept here.
    SERVICE_SMTP_URL: "smtp://127.0.0.1:1",
    SERVICE_SMS_WEBHOOK_SECRET: secret(),
    SERVICE_TWILIO_ACCOUNT_SID: "tests",
    SERVICE_TWILIO_AUTH_TOKEN: "tests",
  };
}
