import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import { testDatabaseVariable } from "../core/config/index.ts";
import { type CodeMigrations, migrate } from "../migrations/runner/index.ts";
import { prepareQueue } from "../modules/jobs/index.ts";
import { type AdminClient, connectAdmin, urlOfDatabase } from "./admin-connection.ts";
import type { TestServer } from "./test-server.ts";
import { TestServiceError } from "./test-service-error.ts";

/** Number of kept templates, for example for several branches. */
const keptTemplates = 4;

/**
 * Processes that use a copy or draft hold a lock with its name. If the lock is free, the database is unused.
 */
const abandoned = `with found as materialized (
  select datname from pg_database where starts_with(datname, $1) or starts_with(datname, $2)
) select datname from found where pg_try_advisory_lock(hashtextextended(datname, 0))`;

/** The newest first. */
const old = "select datname from pg_database where starts_with(datname, $1) order by oid desc offset $2";

/** Drops databases of killed runs, and all but the newest templates. */
async function removeLeftovers(admin: AdminClient, prefix: string): Promise<void> {
  const unused = await namesOf(admin, abandoned, [prefix + databaseKinds.copy, prefix + databaseKinds.draft]);
  for (const name of unused) await admin.query(`drop database if exists "${name}" with (force)`);
  // A run that needs a dropped template creates it again. A template that is being copied cannot be dropped.
  for (const name of await namesOf(admin, old, [prefix + databaseKinds.template, keptTemplates]))
    await admin.query(`drop database if exists "${name}"`).catch(() => {});
}

async function namesOf(admin: AdminClient, text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await admin.query<{ datname: string }>(text, [...values]);
  return rows.map(({ datname }) => datname);
}

const maxTries = 3;

/** Copies a template, and retries if another process removes it. Returns the name, which `admin` locks. */
export async function copyTemplate(
  admin: AdminClient,
  content: TemplateContent,
  options: TemplateOptions,
): Promise<string> {
  const name = `${options.prefix}${databaseKinds.copy}${randomBytes(8).toString("hex")}`;
  await lockName(admin, name);
  for (let tries = 1; ; tries++) {
    const template = await migratedTemplate(admin, content, options);
    try {
      await createDatabaseFrom(admin, name, { ...options, template });
      return name;
    } catch (error) {
      const isGone = error instanceof pg.DatabaseError && error.code === "3D000";
      if (!isGone || tries === maxTries) throw error;
    }
  }
}

/** A database for one test file. */
export interface FreshDatabase {
  readonly url: string;
  /** Drops it. */
  drop(): Promise<void>;
  /** Gives it a name that no later run drops. Returns its new URL. No one can be connected to it. */
  keep(): Promise<string>;
}

/**
 * The prefix of an app's database names. Several apps, or checkouts of one app, can share a server. It
 * depends on the role, because a role cannot copy databases of another role.
 */
export function databasePrefix(app: string, server: string): string {
  const identity = JSON.stringify([app, new URL(server).username]);
  return `kirak_test_${createHash("sha256").update(identity).digest("hex").slice(0, 8)}_`;
}

/**
 * Creates a database as a copy of a migrated template. Removes the databases of killed runs. Throws a
 * TestServiceError, and errors of migrations.
 */
export async function freshDatabase(
  { url, isDisposable }: TestServer,
  content: TemplateContent,
  { prefix, log }: { readonly prefix: string; readonly log: Logger },
): Promise<FreshDatabase> {
  const admin = await connectAdmin(url);
  try {
    const options = { url, prefix, log, ...(isDisposable && { strategy: "file_copy" }) };
    // Before this run holds a lock: a session can take its own lock a second time.
    await removeLeftovers(admin, prefix);
    const name = await copyTemplate(admin, content, options);
    return {
      url: urlOfDatabase(url, name),
      async drop() {
        await admin.query(`drop database if exists "${name}" with (force)`).finally(() => admin.end());
      },
      async keep() {
        const kept = name.replace(/^kirak_test_.*_/, "kirak_kept_");
        await admin.query(`alter database "${name}" rename to "${kept}"`).finally(() => admin.end());
        return urlOfDatabase(url, kept);
      },
    };
  } catch (error) {
    await admin.end();
    throw explainDenied(error, url);
  }
}

function explainDenied(error: unknown, url: string): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== "42501") return error;
  const role = decodeURIComponent(new URL(url).username);
  return new TestServiceError(
    `the tests cannot create a database: ${error.message}; allow it for the role of ${testDatabaseVariable}: ALTER ROLE "${role}" CREATEDB`,
    { cause: error },
  );
}

/** The content of a new database. */
export interface TemplateContent extends CodeMigrations {
  /** Whether it has the job queue. Default false. */
  readonly queue?: boolean;
}

export interface TemplateOptions {
  /** URL of the server. */
  readonly url: string;
  /** Prefix of the database names. */
  readonly prefix: string;
  /** Strategy of `CREATE DATABASE`; default: the server's. */
  readonly strategy?: string;
  readonly log: Logger;
}

/** The middle part of a database name, after the prefix. */
export const databaseKinds = { template: "template_", draft: "draft_", copy: "copy_" };

/**
 * Returns the name of a migrated database, and creates it if it does not exist. The first caller waits for
 * the migrations; concurrent callers wait for the first.
 */
export async function migratedTemplate(
  admin: AdminClient,
  content: TemplateContent,
  options: TemplateOptions,
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  const name = `${options.prefix}${databaseKinds.template}${hash.slice(0, 16)}`;
  if (await exists(admin, name)) return name;
  // Test files run in several processes.
  await lockName(admin, name);
  try {
    if (await exists(admin, name)) return name;
    await makeTemplate(admin, name, content, options);
    return name;
  } finally {
    await admin.query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]);
  }
}

/** Locks a name until it is unlocked or the connection ends, also if the process is killed. */
export async function lockName(admin: AdminClient, name: string): Promise<void> {
  await admin.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
}

/** Creates a database, empty or as a copy of another one. */
export async function createDatabaseFrom(
  admin: AdminClient,
  name: string,
  { template, strategy }: { readonly template?: string; readonly strategy?: string | undefined },
): Promise<void> {
  const from = template === undefined ? "" : ` template "${template}"`;
  await admin.query(
    `create database "${name}"${from}${strategy === undefined ? "" : ` strategy ${strategy}`}`,
  );
}

async function exists(admin: AdminClient, name: string): Promise<boolean> {
  const { rowCount } = await admin.query("select from pg_database where datname = $1", [name]);
  return rowCount !== 0;
}

/** Creates a template under a draft name, and renames it when it is complete. */
async function makeTemplate(
  admin: AdminClient,
  name: string,
  { queue = false, ...migrations }: TemplateContent,
  { url, prefix, strategy, log }: TemplateOptions,
): Promise<void> {
  const draft = `${prefix}${databaseKinds.draft}${randomBytes(8).toString("hex")}`;
  await lockName(admin, draft);
  await createDatabaseFrom(admin, draft, { strategy });
  try {
    await migrate({
      url: urlOfDatabase(url, draft),
      ...migrations,
      log,
      ...(queue && { alongside: prepareQueue }),
    });
    await admin.query(`alter database "${draft}" rename to "${name}"`);
  } catch (error) {
    await admin.query(`drop database if exists "${draft}" with (force)`);
    throw error;
  }
}
