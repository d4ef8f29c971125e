import { createHash, randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { type CodeMigrations, migrate } from "../migrations/runner/index.ts";
import { prepareQueue } from "../modules/jobs/index.ts";
import { type AdminClient, urlOfDatabase } from "./administer.ts";

/** What a database begins with. */
export interface TemplateContent extends CodeMigrations {
  /** Whether it has the queue of jobs. Default false. */
  readonly queue?: boolean;
}

export interface TemplateOptions {
  /** Of the server. */
  readonly url: string;
  /** What the names of its databases begin with. */
  readonly prefix: string;
  /** How databases are copied; default as the server does. */
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

/** Locks a name until it is given back, or the connection ends: also that of a process which is killed. */
export async function lockName(admin: AdminClient, name: string): Promise<void> {
  await admin.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
}

/** Makes a database, empty or as a copy of another one. */
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

/** Under another name until it is whole. */
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
