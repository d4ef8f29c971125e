import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished, TestRunner } from "vitest";
import type { Service } from "#runtime/index";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { urlOfDatabase } from "#runtime/testing/admin-connection";
import { createDatabaseFrom, migratedTemplate } from "#runtime/testing/test-database";
import type { Migration } from "#vocabulary/migrations/migration-steps";
import { afterFile } from "./after-file.ts";
import type {} from "./postgres.ts";
import { silent } from "./silent-log.ts";

export interface TestDatabase {
  readonly url: string;
  /** Runs one statement with parameters, or several without, as a superuser. Rows are objects. */
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResultRow[]>;
}

/**
 * A database of its own for the calling test or file, dropped after it. With migrations it is a copy of one to which they
 * were applied: the first caller of a run waits for them, the others get the copy in some 20 ms.
 */
export async function testDatabase(
  migrations: readonly Migration[] = [],
  builtIn: readonly Migration[] = [],
): Promise<TestDatabase> {
  const none = migrations.length + builtIn.length === 0;
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(async (admin) => {
    const options = { url: server, prefix: "test_", strategy: "file_copy", log: silent };
    const template = none ? "template1" : await migratedTemplate(admin, { builtIn, migrations }, options);
    await createDatabaseFrom(admin, name, { ...options, template });
  });
  const url = urlOfDatabase(server, name);
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  // Who asks for it within a test needs it no longer than that one.
  const afterwards = TestRunner.getCurrentTest() === undefined ? afterFile : onTestFinished;
  afterwards(async () => {
    await client.end();
    await asAdmin((admin) => admin.query(`drop database ${name} with (force)`));
  });
  return {
    url,
    async query(text, values) {
      const { rows } = await client.query(text, values === undefined ? undefined : [...values]);
      return rows;
    },
  };
}

/** The same with the tables of a service, and those that every service has. */
export async function serviceDatabase(service: Pick<Service, "migrations">): Promise<TestDatabase> {
  const { migrations, builtIn } = await serviceMigrations(service.migrations);
  return testDatabase(migrations, builtIn);
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client(inject("postgresUrl"));
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
