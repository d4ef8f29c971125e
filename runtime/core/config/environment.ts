import { suggestion } from "../../../vocabulary/nearest.ts";
import { knownVariables, type Variables } from "./environment-variables.ts";
import { jwtVariable } from "./secret-keys.ts";
import { settingPrefix } from "./settings.ts";

/** All problems of the manifest and the environment. The message is for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  /** They often explain a problem, such as a mistyped variable. */
  readonly warnings: readonly string[];

  constructor(problems: readonly string[], warnings: readonly string[]) {
    const lines = [...problems, ...warnings.map((warning) => `warning: ${warning}`)];
    super(
      `the service cannot start with this configuration:\n${lines.map((line) => `  - ${line}`).join("\n")}`,
    );
    this.problems = problems;
    this.warnings = warnings;
  }
}

/** The checked variables, without secrets. */
export interface Environment {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string | null;
  /** The URL of PostgreSQL itself, if `databaseUrl` is that of a pooler. Otherwise equal to `databaseUrl`. */
  readonly databaseDirectUrl: string | null;
  /** False for a pooler that does not support named statements. */
  readonly databaseNamedStatements: boolean;
  readonly databasePoolSize: number;
  readonly migrateOnStart: boolean;
  readonly redisUrl: string | null;
  /** Null: readable lines on a terminal, otherwise JSON. */
  readonly logFormat: LogFormat | null;
}

export type LogFormat = "json" | "pretty";

const databaseSchemes = ["postgres", "postgresql"];

/** Reads and checks the environment; an empty variable counts as unset. Adds to `problems` and `warnings`. */
export function readEnvironment(variables: Variables, problems: string[], warnings: string[]): Environment {
  const text = (name: string) => variables[name] || null;
  const production = variables["NODE_ENV"] === "production";
  if (production) {
    for (const name of ["SERVICE_DATABASE_URL", jwtVariable])
      if (text(name) === null) problems.push(`${name} is not set, and NODE_ENV=production needs it`);
  }
  warnings.push(...unknownNames(variables));
  const mode = text("NODE_ENV") ?? "";
  if (!production && /^(prod|live$)/i.test(mode.trim()))
    warnings.push(
      `NODE_ENV is ${JSON.stringify(mode)}, which counts as development: only "production" is production`,
    );
  return {
    production,
    host: text("HOST") ?? "0.0.0.0",
    port: readInteger("PORT", text("PORT"), { min: 0, max: 65_535, fallback: 3000 }, problems),
    ...readDatabaseUrls(variables, problems),
    databaseNamedStatements: readBoolean(
      "SERVICE_DATABASE_NAMED_STATEMENTS",
      text("SERVICE_DATABASE_NAMED_STATEMENTS"),
      true,
      problems,
    ),
    databasePoolSize: readInteger(
      "SERVICE_DATABASE_POOL_SIZE",
      text("SERVICE_DATABASE_POOL_SIZE"),
      { min: 1, max: 1000, fallback: 10 },
      problems,
    ),
    migrateOnStart: readBoolean("SERVICE_MIGRATE_ON_START", text("SERVICE_MIGRATE_ON_START"), true, problems),
    redisUrl: readUrl("SERVICE_REDIS_URL", text("SERVICE_REDIS_URL"), ["redis", "rediss"], problems),
    logFormat: logFormatOf(variables, problems),
  };
}

/** Reads only `SERVICE_LOG_FORMAT`, for commands that need nothing else. Throws a ConfigError. */
export function readLogFormat(variables: Variables): LogFormat | null {
  const problems: string[] = [];
  const format = logFormatOf(variables, problems);
  if (problems.length > 0) throw new ConfigError(problems, []);
  return format;
}

function logFormatOf({ SERVICE_LOG_FORMAT: text }: Variables, problems: string[]): LogFormat | null {
  if (text === "json" || text === "pretty") return text;
  if (text) problems.push("SERVICE_LOG_FORMAT must be json or pretty");
  return null;
}

/** Warnings about unknown variables. An unknown `SERVICE_SET_…` is an error, reported by `readSettings`. */
function unknownNames(variables: Variables): string[] {
  return Object.keys(variables)
    .filter((name) => /^SERVICE_/.test(name) && !name.startsWith(settingPrefix))
    .filter((name) => !knownVariables.includes(name))
    .map((name) => `${name} is not a variable of this service${suggestion(name, knownVariables)}`);
}

/** Both are null for the embedded PostgreSQL. */
function readDatabaseUrls(
  variables: Variables,
  problems: string[],
): Pick<Environment, "databaseUrl" | "databaseDirectUrl"> {
  const read = (name: string) => readUrl(name, variables[name] || null, databaseSchemes, problems);
  const databaseUrl = read("SERVICE_DATABASE_URL");
  const databaseDirectUrl = read("SERVICE_DATABASE_DIRECT_URL") ?? databaseUrl;
  if (databaseUrl === null && databaseDirectUrl !== null)
    problems.push("SERVICE_DATABASE_DIRECT_URL is set, and SERVICE_DATABASE_URL is not");
  return { databaseUrl, databaseDirectUrl };
}

/**
 * The URL of PostgreSQL itself, for commands that need nothing else; null for the embedded one. Throws a
 * ConfigError.
 */
export function readDatabaseUrl(variables: Variables): string | null {
  const problems: string[] = [];
  const { databaseDirectUrl: url } = readDatabaseUrls(variables, problems);
  if (url === null && problems.length === 0 && variables["NODE_ENV"] === "production")
    problems.push("SERVICE_DATABASE_URL is not set, and NODE_ENV=production needs it");
  if (problems.length > 0) throw new ConfigError(problems, unknownNames(variables));
  return url;
}

function readInteger(
  name: string,
  text: string | null,
  bounds: { readonly min: number; readonly max: number; readonly fallback: number },
  problems: string[],
): number {
  if (text === null) return bounds.fallback;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.min && value <= bounds.max) return value;
  problems.push(`${name} must be a whole number from ${bounds.min} to ${bounds.max}`);
  return bounds.fallback;
}

function readBoolean(name: string, text: string | null, fallback: boolean, problems: string[]): boolean {
  if (text === null) return fallback;
  const value = text.toLowerCase();
  if (value === "true" || value === "1") return true;
  if (value !== "false" && value !== "0") problems.push(`${name} must be true or false`);
  return false;
}

/** The message does not repeat the value, because it can hold a password. */
function readUrl(
  name: string,
  text: string | null,
  schemes: readonly string[],
  problems: string[],
): string | null {
  if (text === null) return null;
  if (schemes.some((scheme) => text.startsWith(`${scheme}://`))) return text;
  problems.push(
    `${name} must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  );
  return null;
}
