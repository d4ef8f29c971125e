import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import { testDatabaseVariable } from "../core/config/index.ts";
import { type AdminClient, connectAdmin, urlOfDatabase } from "./administer.ts";
import {
  createDatabaseFrom,
  databaseKinds,
  lockName,
  migratedTemplate,
  type TemplateContent,
  type TemplateOptions,
} from "./template-database.ts";
import type { TestServer } from "./test-server.ts";
import { TestServiceError } from "./test-service-error.ts";

/** Number of kept templates, for example for several branches. */
const keptTemplates = 4;

/** Users of a copy or draft hold a lock with its name; a free lock marks an unused one. */
const abandoned = `with found as materialized (
  select datname from pg_database where starts_with(datname, $1) or starts_with(datname, $2)
) select datname from found where pg_try_advisory_lock(hashtextextended(datname, 0))`;

/** Those made first come last. */
const old = "select datname from pg_database where starts_with(datname, $1) order by oid desc offset $2";

/** Drops what killed runs have left behind, and templates of other migrations than the last ones. */
async function removeLeftovers(admin: AdminClient, prefix: string): Promise<void> {
  const left = await namesOf(admin, abandoned, [prefix + databaseKinds.copy, prefix + databaseKinds.draft]);
  for (const name of left) await admin.query(`drop database if exists "${name}" with (force)`);
  // A run that needs a dropped template makes it again. A template that is being copied stays.
  for (const name of await namesOf(admin, old, [prefix + databaseKinds.template, keptTemplates]))
    await admin.query(`drop database if exists "${name}"`).catch(() => {});
}

async function namesOf(admin: AdminClient, text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await admin.query<{ datname: string }>(text, [...values]);
  return rows.map(({ datname }) => datname);
}

const maxTries = 3;

/** Copies a template, which another process can remove meanwhile. Returns its name, locked by the connection. */
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
}

/**
 * What the names of an app's databases begin with on a server: several apps may share it, as may several checkouts of one. No role may
 * copy what belongs to another one.
 */
export function databasePrefix(app: string, server: string): string {
  const whose = JSON.stringify([app, new URL(server).username]);
  return `kirak_test_${createHash("sha256").update(whose).digest("hex").slice(0, 8)}_`;
}

/**
 * Creates a database as a copy of a migrated template. Removes the databases of killed runs. Throws a
 * TestServiceError, and errors of migrations.
 */
export async function freshDatabase(
  { url, isOurs }: TestServer,
  content: TemplateContent,
  { prefix, log }: { readonly prefix: string; readonly log: Logger },
): Promise<FreshDatabase> {
  const admin = await connectAdmin(url);
  try {
    const options = { url, prefix, log, ...(isOurs && { strategy: "file_copy" }) };
    // First, while this run holds no lock: it could take its own lock a second time.
    await removeLeftovers(admin, prefix);
    const name = await copyTemplate(admin, content, options);
    return {
      url: urlOfDatabase(url, name),
      async drop() {
        await admin.query(`drop database if exists "${name}" with (force)`).finally(() => admin.end());
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
    `no database can be made for the tests: ${error.message}; the role of ${testDatabaseVariable} needs the right to: ALTER ROLE "${role}" CREATEDB`,
    { cause: error },
  );
}
