import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { configFolder, type Variables } from "../../../support/config-folder.ts";

const { root, ...folder } = configFolder();
const key = "k".repeat(32);

type Settings = readonly [monitoring: object, environment?: Variables, manifest?: object];
const manifestOf = ([monitoring, , manifest]: Settings) => ({
  modules: ["monitoring"],
  ...manifest,
  monitoring,
});
const read = (...settings: Settings) => folder.read(manifestOf(settings), settings[1]);
const problemsOf = (...settings: Settings) => folder.problemsOf(manifestOf(settings), settings[1]);

const warningsOf = (...settings: Parameters<typeof read>) =>
  read(...settings).warnings.filter((warning) => /monitoring/i.test(warning));

test("the module is off unless `modules` names it, for any other settings", () => {
  const environment = { SERVICE_MONITORING_INGESTION_KEY: "short" };
  const config = read({ log_ship_url: "http://" }, environment, { modules: ["storage"] });
  expect(config.monitoring).toBeNull();
  expect(config.warnings.filter((warning) => /monitoring/i.test(warning))).toEqual([]);
});

test("the defaults of the section", () => {
  // biome-ignore format: many a line
  expect(read({}).monitoring).toEqual({
    databasePath: join(root, "var/kirak/metrics.db"), batchIntervalSeconds: 5, retentionDays: 7,
    sampleRate: 1, slowRequestMs: 500, maxDatabaseMb: 200, queueSize: 10_000,
    logs: { level: "warn", queueSize: 5_000, shipping: null }, ingestionKey: null,
  });
});

test("everything can be configured, and settings without effect are ignored", () => {
  // biome-ignore format: many a line
  const { monitoring } = read(
    {
      db_path: "/var/lib/shop/metrics.db", batch_interval_seconds: 1, retention_days: 30, sample_rate: 0.05,
      slow_request_threshold_ms: 0, max_db_size_mb: 1, queue_max_size: 10, log_capture_level: "DEBUG",
      log_queue_max_size: 20, log_ship_url: "https://logs.example/in", log_ship_level: "CRITICAL",
      log_ship_batch_size: 7, enabled: false, log_capture_enabled: "no", log_user_id: true,
    },
    { SERVICE_MONITORING_INGESTION_KEY: key, SERVICE_MONITORING_LOG_SHIP_SECRET: "hidden-too" },
  );
  // biome-ignore format: many a line
  expect(monitoring).toMatchObject({
    databasePath: "/var/lib/shop/metrics.db", batchIntervalSeconds: 1, retentionDays: 30, sampleRate: 0.05,
    slowRequestMs: 0, maxDatabaseMb: 1, queueSize: 10,
    logs: {
      level: "debug", queueSize: 20,
      shipping: { url: "https://logs.example/in", level: "fatal", batchSize: 7 },
    },
  });
  expect(monitoring?.ingestionKey?.export().toString()).toBe(key);
  expect(monitoring?.logs.shipping?.secret?.export().toString()).toBe("hidden-too");
  expect(inspect(monitoring, { depth: null })).not.toMatch(/k{32}|hidden/);
});

test("each key can be set by the environment", () => {
  const { monitoring, setByEnvironment } = read(
    { retention_days: 3 },
    { SERVICE_SET_MONITORING__DB_PATH: "var/other.db", SERVICE_SET_MONITORING__RETENTION_DAYS: "2" },
  );
  expect(monitoring).toMatchObject({ databasePath: join(root, "var/other.db"), retentionDays: 2 });
  expect(setByEnvironment).toEqual([
    "SERVICE_SET_MONITORING__DB_PATH",
    "SERVICE_SET_MONITORING__RETENTION_DAYS",
  ]);
});

test.each<[object, RegExp]>([
  [{ db_path: "" }, /^models\/manifest\.json: monitoring\.db_path must/],
  [{ batch_interval_seconds: 0 }, /batch_interval_seconds must be at least 1$/],
  [{ retention_days: 0 }, /retention_days must be at least 1$/],
  [{ sample_rate: 1.1 }, /sample_rate must be at most 1$/],
  [{ sample_rate: -0.1 }, /sample_rate must be at least 0$/],
  [{ slow_request_threshold_ms: -1 }, /slow_request_threshold_ms must be at least 0$/],
  [{ max_db_size_mb: 0 }, /max_db_size_mb must be at least 1$/],
  [{ queue_max_size: 1.5 }, /queue_max_size must be integer$/],
  [{ log_capture_level: "warn" }, /log_capture_level must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL$/],
  [{ log_ship_level: "ALL" }, /log_ship_level must be one of/],
  [{ log_ship_batch_size: 0 }, /log_ship_batch_size must be at least 1$/],
  [{ log_ship_url: "logs.example" }, /log_ship_url must match/],
  [{ log_ship_url: "ftp://logs.example" }, /log_ship_url must match/],
  [{ log_ship_url: "https://" }, /^monitoring\.log_ship_url is not a URL$/],
  [{ log_ship_url: "https://shop:hidden@logs.example" }, /must not hold a user or a password(?!.*hidden)/],
  [{ sampling: 1 }, /unknown key "monitoring\.sampling"/],
])("%j is refused", (monitoring, expected) => {
  expect(problemsOf(monitoring)).toEqual([expect.stringMatching(expected)]);
});

describe("the store is not among files that callers read and write", () => {
  const both = { modules: ["monitoring", "storage"] };
  test.each<[string, object, string | null]>([
    ["var/kirak/storage/metrics.db", {}, "var/kirak/storage"],
    ["var/kirak/storage", {}, "var/kirak/storage"],
    ["var/kirak/../kirak/storage/a/b.db", {}, "var/kirak/storage"],
    ["var/kirak/storage/..metrics.db", {}, "var/kirak/storage"],
    ["public/metrics.db", { storage: { root: "public" } }, "public"],
    ["public/metrics.db", { storage: { root: "./public/" } }, "public/"],
    ["var/kirak/metrics.db", {}, null],
    ["var/kirak/storage-metrics.db", {}, null],
    ["public/metrics.db", { storage: { root: "public/files" } }, null],
    ["public/metrics.db", { modules: ["monitoring"], storage: { root: "public" } }, null],
  ])("%s with %j", (db_path, manifest, folder) => {
    const expected =
      folder === null ? [] : [`monitoring.db_path must not be in the folder of files, ${join(root, folder)}`];
    expect(problemsOf({ db_path }, {}, { ...both, ...manifest })).toEqual(expected);
  });
});

describe("warnings", () => {
  const name = "SERVICE_MONITORING_INGESTION_KEY";
  test.each<[string, RegExp | null]>([
    ["", /^SERVICE_MONITORING_INGESTION_KEY is not set, so no one can read \/monitoring; npm run secrets/],
    ["short", /^SERVICE_MONITORING_INGESTION_KEY is too short: it needs at least 32 bytes$/],
    [`${key} ${key}`, /^SERVICE_MONITORING_INGESTION_KEY has a space/],
    [key, null],
  ])("a key %j", (text, expected) => {
    const warnings = warningsOf({}, { [name]: text });
    expect(warnings).toEqual(expected === null ? [] : [expect.stringMatching(expected)]);
  });

  test("logs that leave unencrypted, with their secret, in production", () => {
    const environment = {
      NODE_ENV: "production",
      SERVICE_DATABASE_URL: "postgres://unused",
      SERVICE_AUTH_JWT_SECRET_KEY: key,
      [name]: key,
      SERVICE_MONITORING_LOG_SHIP_SECRET: key,
    };
    const manifest = { base_url: "https://shop.example" };
    const shipped = (log_ship_url: string, variables: Variables = environment) =>
      warningsOf({ log_ship_url }, variables, manifest);
    expect(shipped("http://logs.example")).toEqual([
      "monitoring.log_ship_url does not use https: others on the network can read the logs and the secret",
    ]);
    expect(shipped("https://logs.example")).toEqual([]);
    expect(shipped("http://127.0.0.1:8080")).toEqual([]);
    expect(shipped("http://logs.example", { ...environment, NODE_ENV: "test" })).toEqual([]);
  });
});
