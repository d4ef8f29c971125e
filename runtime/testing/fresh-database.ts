import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import { testDatabaseVariable } from "../config/index.ts";
import { type Administrator, connectAdministrator, urlOfDatabase } from "./administer.ts";
import { removeLeftovers } from "./remove-leftovers.ts";
import {
  createDatabaseOf,
  kinds,
  lock,
  migratedTemplate,
  type TemplateContent,
  type TemplateOptions,
} from "./template-database.ts";
import type { TestServer } from "./test-server.ts";
import { TestServiceError } from "./test-service-error.ts";

/** A database for one test file. */
export interface FreshDatabase {
  readonly url: string;
  /** Drops it. */
  drop(): Promise<void>;
}

const mostTries = 3;

/** What the names of an app's databases begin with: several may share a server, as may several checkouts of one. */
export function databasePrefix(app: string): string {
  return `kirak_test_${createHash("sha256").update(app).digest("hex").slice(0, 8)}_`;
}

/**
 * A database of its own, a copy of one to which the migrations were applied. What killed runs left behind goes away. Throws a
 * TestServiceError, and errors of migrations.
 */
export async function freshDatabase(
  { url, isOurs }: TestServer,
  content: TemplateContent,
  { prefix, log }: { readonly prefix: string; readonly log: Logger },
): Promise<FreshDatabase> {
  const admin = await connectAdministrator(url);
  try {
    const options = { url, prefix, log, ...(isOurs && { strategy: "file_copy" }) };
    // Before it has a lock of its own, which it could take once more.
    await removeLeftovers(admin, prefix);
    const name = await copy(admin, content, options);
    return {
      url: urlOfDatabase(url, name),
      async drop() {
        await admin.query(`drop database if exists "${name}" with (force)`).finally(() => admin.end());
      },
    };
  } catch (error) {
    await admin.end();
    throw inWords(error, url);
  }
}

/** Somebody with other migrations may remove the template meanwhile. */
async function copy(
  admin: Administrator,
  content: TemplateContent,
  options: TemplateOptions,
): Promise<string> {
  const name = `${options.prefix}${kinds.copy}${randomBytes(8).toString("hex")}`;
  await lock(admin, name);
  for (let tries = 1; ; tries++) {
    const template = await migratedTemplate(admin, content, options);
    try {
      await createDatabaseOf(admin, name, { ...options, template });
      return name;
    } catch (error) {
      if (!isOf(error, "3D000") || tries === mostTries) throw error;
    }
  }
}

function isOf(error: unknown, code: string): boolean {
  return error instanceof pg.DatabaseError && error.code === code;
}

function inWords(error: unknown, url: string): unknown {
  if (!isOf(error, "42501") || !(error instanceof Error)) return error;
  const role = decodeURIComponent(new URL(url).username);
  return new TestServiceError(
    `no database can be made for the tests: ${error.message}; the role of ${testDatabaseVariable} needs the right to: ALTER ROLE "${role}" CREATEDB`,
    { cause: error },
  );
}
