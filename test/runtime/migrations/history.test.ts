import { expect, test } from "vitest";
import { migrate, migrateDown, migrationStatus, plannedUp, verifyDatabase } from "#runtime/migrations/index";
import type { Migration } from "#vocabulary/migration-steps";
import type { TestDatabase } from "../../support/database.ts";
import { silent as log } from "../../support/silent-log.ts";
import { base, catalogOf, connect, lines, second, shelf, uniqueIsbn } from "./shelf.ts";

const noted = second([
  { step: "add_column", table: "books", column: { name: "note", type: "text", nullable: true } },
]);

/** What every command says of the database. */
async function refusals(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const options = { url, migrations, log };
  const commands = [migrate, migrateDown, plannedUp, verifyDatabase];
  return Promise.all(
    commands.map((command) =>
      command(options).then(
        () => "done",
        ({ name, message }: Error) => `${name}: ${message}`,
      ),
    ),
  );
}

const everywhere = (message: string) => Array(4).fill(`MigrationError: ${message}`);

test("a row of the history that somebody deleted is missed before anything is done", async () => {
  const { url, query } = await shelf();
  await migrate({ url, migrations: [base, noted], log });
  await query("DELETE FROM kirak_migrations WHERE name = '0002_second'");
  expect(await refusals(url, [base, noted])).toEqual(
    everywhere(
      "0002_second has a row in kirak_migration_checksums and none in kirak_migrations: somebody deleted that one; " +
        "put it back where the tables have the changes, else delete the other too",
    ),
  );
});

test("a checksum that somebody deleted is no altered file", async () => {
  const { url, query } = await shelf();
  await query("DELETE FROM kirak_migration_checksums");
  expect(await migrationStatus({ url, migrations: [base] })).toMatchObject([{ state: "unchecked" }]);
  expect(await refusals(url, [base])).toEqual(
    everywhere(
      "0001_base was applied to this database, but its row in kirak_migration_checksums is gone, so that nobody can " +
        "tell whether it was altered since; restore the row from a backup",
    ),
  );
});

test("migrations stay in the order in which they were applied", async () => {
  const { url } = await shelf();
  const empty = (name: string, parent: string): Migration => ({ name, parent, up: [], down: [] });
  await migrate({ url, migrations: [base, empty("0002_a", "0001_base"), empty("0003_b", "0002_a")], log });
  const turned = [base, empty("0003_b", "0001_base"), empty("0002_a", "0003_b")];
  expect(await refusals(url, turned)).toEqual(
    everywhere(
      "0002_a was applied to this database before 0003_b, which comes first in this code: " +
        "somebody changed what they build on; restore the files",
    ),
  );
  const between = [base, empty("0004_c", "0001_base"), empty("0002_a", "0004_c"), empty("0003_b", "0002_a")];
  expect(await refusals(url, between)).toEqual(
    everywhere("0004_c is not applied to this database, but a later migration is"),
  );
});

test("nothing of another service's database is undone", async () => {
  const { url, query } = await shelf();
  const noted = JSON.stringify([{ drop: "column", table: "books", name: "isbn" }]);
  await query(`CREATE TABLE kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL, run text NOT NULL);
    INSERT INTO kirak_migration_progress VALUES ('0002_theirs', '${noted}', 'its')`);
  const before = await catalogOf(url);
  const other: Migration = { name: "0001_other", parent: null, up: [], down: [] };
  await expect(migrate({ url, migrations: [other], log })).rejects.toThrow(
    /^the database is newer than this/,
  );
  expect(await catalogOf(url)).toEqual(before);
  expect(await query("SELECT name FROM kirak_migration_progress")).toEqual([{ name: "0002_theirs" }]);
});

/** The URL of a role that may do what is granted. */
async function asRole({ url, query }: TestDatabase, grants: string): Promise<string> {
  const [database] = await query("SELECT current_database() AS name");
  const role = `less_${database?.["name"]}`;
  await query(`CREATE ROLE ${role} LOGIN PASSWORD 'less'; ${grants.replaceAll("ROLE", role)}`);
  const less = new URL(url);
  [less.username, less.password] = [role, "less"];
  return less.href;
}

const rights = /; the role of SERVICE_DATABASE_URL must own .*GRANT USAGE, CREATE ON SCHEMA/;

// biome-ignore format: one case a line
test.each([
  ["create tables", "GRANT ALL ON ALL TABLES IN SCHEMA public TO ROLE",
    /^0002_second cannot be applied: .*permission denied for schema public; nothing was changed;/],
  ["read the history", "GRANT CREATE ON SCHEMA public TO ROLE",
    /^the migrations of this database cannot be read: permission denied for table kirak_migrations; nothing was changed;/],
  [
    "write the history",
    `GRANT CREATE ON SCHEMA public TO ROLE; GRANT ALL ON ALL TABLES IN SCHEMA public TO ROLE;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ROLE; ALTER TABLE books OWNER TO ROLE;
      REVOKE INSERT ON kirak_migrations FROM ROLE`,
    /^0002_second failed: .*permission denied for table kirak_migrations; nothing of it was applied;/,
  ],
  [
    "change the tables",
    `GRANT CREATE ON SCHEMA public TO ROLE; GRANT ALL ON ALL TABLES IN SCHEMA public TO ROLE;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ROLE`,
    /^0002_second failed at step 1 of 1 \(add_index on books\): must be owner of table books; nothing of it was applied;/,
  ],
])("a role that may not %s is told what it needs", async (_, grants, message) => {
  const database = await shelf();
  const { url, query } = database;
  const before = await catalogOf(url);
  const { log: watched, matching } = lines();
  const run = migrate({ url: await asRole(database, grants),
    migrations: [base, second([uniqueIsbn])],
    log: watched,
  });
  const said = await run.catch(({ name, message: text }: Error) => `${name}: ${text}`);
  expect(said).toMatch(new RegExp(message.source.replace("^", "^MigrationError: ")));
  expect(said).toMatch(rights);
  expect(matching(/is still there/)).toEqual([]);
  expect(await catalogOf(url)).toEqual(before);
  const admin = await connect(url);
  await admin.query("ALTER TABLE books OWNER TO CURRENT_USER");
  await query(
    `DROP OWNED BY less_${new URL(url).pathname.slice(1)}; DROP ROLE less_${new URL(url).pathname.slice(1)}`,
  );
});
