import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { loadMigrations, migrate, migrateDown, verifyDatabase } from "../../../runtime/migrations/index.ts";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { type Project, project } from "../support/project.ts";

const log = silent;
const timeout = 60_000;
const own = {
  tickets: {
    fields: {
      author_id: {
        type: "belongs_to",
        required: true,
        relationship: { model: "users", on_delete: "cascade" },
      },
    },
    access: { fetch: [{ role: "user", condition: "author_id = {user_id}" }] },
  },
};
const extended = {
  ...own,
  users: {
    fields: {
      nickname: { type: "string", unique: true },
      plan: { type: "string", enum: ["free", "team"], required: true, default: "free" },
      invited_by: { type: "belongs_to", relationship: { model: "users", on_delete: "set_null" } },
      tickets: { type: "has_many", relationship: { model: "tickets", foreign_key: "author_id" } },
    },
    indexes: [["plan", "created_at"]],
  },
};
const builtInTables = [
  ...["auth_mfa", "auth_otp", "auth_social", "auth_token_blacklist", "auth_tokens"],
  ...["kirak_rate_limits", "users"],
];

const migrationsOf = ({ root }: Project) =>
  loadMigrations(pathToFileURL(join(root, "generated/migrations/")));

/** Rows of all that belongs to one account. */
const accounts = `
  INSERT INTO users (email, nickname) VALUES ('ann@example.org', 'ann'), ('bob@example.org', 'bob');
  UPDATE users SET invited_by = 1 WHERE id = 2;
  INSERT INTO tickets (author_id) VALUES (1), (2);
  INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at) VALUES (1, 'refresh', 'h', now());
  INSERT INTO auth_social (user_id, provider, uid) VALUES (1, 'google', 'u');
  INSERT INTO auth_mfa (user_id, secret, backup_codes) VALUES (1, 's', '[]')`;

test("a database has accounts, what the app adds to them, and references to them", { timeout }, async () => {
  const { root, generate, write, ...rest } = project(extended);
  const made = { root, generate, write, ...rest };
  expect((await generate()).problems).toEqual([]);
  const { url, query } = await testDatabase();
  const migrations = await migrationsOf(made);
  await migrate({ url, migrations, log });
  expect(await verifyDatabase({ url, migrations, log })).toMatchObject({ differences: [], notes: [] });
  await query(accounts);
  expect(await query("SELECT role, plan, is_verified, is_active, password FROM users WHERE id = 1")).toEqual([
    { role: "user", plan: "free", is_verified: false, is_active: true, password: null },
  ]);
  await expect(query("INSERT INTO users (email) VALUES ('ann@example.org')")).rejects.toThrow(
    "users_email_key",
  );
  await expect(query("INSERT INTO tickets (author_id) VALUES (9)")).rejects.toThrow("tickets_author_id_fkey");
  await expect(query("UPDATE users SET plan = 'gold'")).rejects.toThrow("users_plan_check");
  await query("DELETE FROM users WHERE id = 1");
  expect(await query("SELECT id, invited_by FROM users")).toEqual([{ id: "2", invited_by: null }]);
  for (const table of ["auth_tokens", "auth_social", "auth_mfa"])
    expect(await query(`SELECT id FROM ${table}`)).toEqual([]);
  expect(await query("SELECT author_id FROM tickets")).toEqual([{ author_id: "2" }]);
});

test("without its entry users loses the app's own columns alone, when somebody accepts that", {
  timeout,
}, async () => {
  const made = project(extended);
  await made.generate();
  const { url, query } = await testDatabase();
  await migrate({ url, migrations: await migrationsOf(made), log });
  await query(accounts);
  made.write("models/models.json", own);
  const accepted = ["drop_column:users.nickname", "drop_column:users.plan", "drop_column:users.invited_by"];
  const refused = await made.generate();
  expect(refused.exitCode).toBe(1);
  expect(refused.problems).toMatchObject([{ kind: "destructive" }]);
  const { problems, report } = await made.generate({ accepted });
  expect(problems).toEqual([]);
  expect(report?.models.removed).toEqual([]);
  const migrations = await migrationsOf(made);
  expect(migrations.at(-1)?.name).toBe("0002_drop_nickname_and_plan_and_invited_by_from_users");
  await migrate({ url, migrations, log });
  expect(await verifyDatabase({ url, migrations, log })).toMatchObject({ differences: [], notes: [] });
  expect(await query("SELECT * FROM users WHERE id = 2")).toMatchObject([{ email: "bob@example.org" }]);
  expect(await query("SELECT author_id FROM tickets")).toHaveLength(2);
  await migrateDown({ url, migrations, log, acceptDataLoss: true });
  expect(await query("SELECT nickname, plan FROM users WHERE id = 2")).toEqual([
    { nickname: null, plan: "free" },
  ]);
});

describe("a project of the time before accounts", () => {
  /** A project whose history is that of its own models, as an earlier version left it. */
  async function earlier(models: object): Promise<Project> {
    const made = project(models);
    await made.generate();
    const initial = made.read("generated/migrations/0001_initial.ts");
    expect(initial).toContain('table: "users"');
    const schema = JSON.parse(made.read("generated/migrations/schema.json"));
    const tables = schema.tables.filter(({ name }: { name: string }) => !builtInTables.includes(name));
    const up = tables.map(({ name, columns }: { name: string; columns: object[] }) => ({
      step: "create_table",
      table: name,
      columns,
    }));
    const down = tables.map(({ name }: { name: string }) => ({ step: "drop_table", table: name }));
    const [head = ""] = initial.split("export const migration");
    const steps = `up: ${JSON.stringify(up)},\n  down: ${JSON.stringify(down)},`;
    const text = `export const migration = defineMigration({\n  name: "0001_initial",\n  parent: null,\n  ${steps}\n});\n`;
    made.remove("generated");
    made.write("generated/migrations/0001_initial.ts", head + text);
    made.write("generated/migrations/schema.json", { ...schema, tables });
    return made;
  }

  const books = { books: { internal: true, fields: { title: { type: "string" } } } };

  test("gets the tables in one additive migration", { timeout }, async () => {
    const made = await earlier(books);
    const { problems, report } = await made.generate({ force: true });
    expect(problems).toEqual([]);
    expect(report).toMatchObject({ models: { added: [] }, widenedAccess: [], widenedFields: [] });
    const migrations = await migrationsOf(made);
    expect(migrations.map(({ name }) => name)).toEqual(["0001_initial", "0002_add_accounts_and_rate_limits"]);
    const { url, query } = await testDatabase();
    await migrate({ url, migrations, log });
    const tables = await query(
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^(auth_.*|users|kirak_rate_limits)$' ORDER BY 1",
    );
    expect(tables.map(({ relname }) => relname)).toEqual(builtInTables);
    await migrateDown({ url, migrations, log, acceptDataLoss: true });
    expect(await query("SELECT to_regclass('users') AS users, to_regclass('books') AS books")).toEqual([
      { users: null, books: "books" },
    ]);
  });

  test("names a migration after what the app changes as well", { timeout }, async () => {
    const made = await earlier(books);
    const { fields } = books.books;
    made.write("models/models.json", {
      books: { ...books.books, fields: { ...fields, isbn: { type: "string" } } },
    });
    await made.generate({ force: true });
    expect((await migrationsOf(made)).at(-1)?.name).toBe(
      "0002_add_isbn_to_books_and_accounts_and_rate_limits",
    );
  });

  test("is told what to do where the database has a table of that name", { timeout }, async () => {
    const made = await earlier(books);
    await made.generate({ force: true });
    const { url, query } = await testDatabase();
    await query("CREATE TABLE users (login text)");
    const migrations = await migrationsOf(made);
    await expect(migrate({ url, migrations, log })).rejects.toThrow(
      /^0002_add_accounts_and_rate_limits failed at step 1 of 26 \(create_table on users\): relation "users" already exists; it is none of the service's: rename it \(ALTER TABLE "users" RENAME TO …\) or drop it, and migrate again; nothing of it was applied$/,
    );
    await query("ALTER TABLE users RENAME TO old_users");
    expect(await migrate({ url, migrations, log })).toEqual(["0002_add_accounts_and_rate_limits"]);
  });
});
