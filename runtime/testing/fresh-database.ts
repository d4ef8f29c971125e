import { createHash } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import { testDatabaseVariable } from "../config/index.ts";
import { connectAdministrator, urlOfDatabase } from "./administer.ts";
import { copyOfTemplate } from "./copy-of-template.ts";
import { removeLeftovers } from "./remove-leftovers.ts";
import type { TemplateContent } from "./template-database.ts";
import type { TestServer } from "./test-server.ts";
import { TestServiceError } from "./test-service-error.ts";

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
    const name = await copyOfTemplate(admin, content, options);
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

function inWords(error: unknown, url: string): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== "42501") return error;
  const role = decodeURIComponent(new URL(url).username);
  return new TestServiceError(
    `no database can be made for the tests: ${error.message}; the role of ${testDatabaseVariable} needs the right to: ALTER ROLE "${role}" CREATEDB`,
    { cause: error },
  );
}
