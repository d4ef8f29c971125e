import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { migrate, migrateDown, verifyDatabase } from "#runtime/migrations/runner/index";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { type Project, project } from "../support/project.ts";

const log = silent;
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
// biome-ignore format: one case a line
const extended = { ...own,
  users: { fields: { nickname: { type: "string", unique: true }, plan: { type: "string", enum: ["free", "team"], required: true, default: "free" },
      invited_by: { type: "belongs_to", relationship: { model: "users", on_delete: "set_null" } },
      tickets: { type: "has_many", relationship: { model: "tickets", foreign_key: "author_id" } } },
    indexes: [["plan", "created_at"]],
  },
};
const migrationsOf = ({ root }: Project) =>
  serviceMigrations(pathToFileURL(join(root, "generated/migrations/")));

/** Rows of all that belongs to one account. */
const accounts = `
  INSERT INTO users (email, nickname) VALUES ('ann@example.org', 'ann'), ('bob@example.org', 'bob');
  UPDATE users SET invited_by = 1 WHERE id = 2;
  INSERT INTO tickets (author_id) VALUES (1), (2);
  INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at) VALUES (1, 'refresh', 'h', now());
  INSERT INTO auth_social (user_id, provider, uid) VALUES (1, 'google', 'u');
  INSERT INTO auth_mfa (user_id, secret, backup_codes) VALUES (1, 's', '[]')`;

test("a database has accounts, the app's additions to them, and references to them", async () => {
  const { root, generate, write, ...rest } = project(extended);
  const made = { root, generate, write, ...rest };
  expect((await generate()).problems).toEqual([]);
  const { url, query } = await testDatabase();
  const code = await migrationsOf(made);
  await migrate({ url, ...code, log });
  expect(await verifyDatabase({ url, ...code, log })).toMatchObject({ differences: [], notes: [] });
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

test("without its entry users loses only the app's own columns, once that is accepted", async () => {
  const made = project(extended);
  await made.generate();
  const { url, query } = await testDatabase();
  await migrate({ url, ...(await migrationsOf(made)), log });
  await query(accounts);
  made.write("models/models.json", own);
  const accepted = ["drop_column:users.nickname", "drop_column:users.plan", "drop_column:users.invited_by"];
  const refused = await made.generate();
  expect(refused.exitCode).toBe(1);
  expect(refused.problems).toMatchObject([{ kind: "destructive" }]);
  const { problems, report } = await made.generate({ accepted });
  expect(problems).toEqual([]);
  expect(report?.models.removed).toEqual([]);
  const code = await migrationsOf(made);
  expect(code.migrations.at(-1)?.name).toBe("0002_drop_nickname_and_plan_and_invited_by_from_users");
  await migrate({ url, ...code, log });
  expect(await verifyDatabase({ url, ...code, log })).toMatchObject({ differences: [], notes: [] });
  expect(await query("SELECT * FROM users WHERE id = 2")).toMatchObject([{ email: "bob@example.org" }]);
  expect(await query("SELECT author_id FROM tickets")).toHaveLength(2);
  await migrateDown({ url, ...code, log, acceptDataLoss: true });
  expect(await query("SELECT nickname, plan FROM users WHERE id = 2")).toEqual([
    { nickname: null, plan: "free" },
  ]);
});

test("generated code does not repeat the parts that every service has", async () => {
  const { generate, files } = project(own);
  await generate();
  const { "0001_initial.ts": initial = "", "schema.json": schema = "" } = files("generated/migrations");
  expect(initial.match(/table: "\w+"/g)).toEqual([
    ...['table: "tickets"', 'table: "tickets"', 'table: "tickets"', 'table: "users"'],
    'table: "tickets"',
  ]);
  expect(JSON.parse(schema).tables.map(({ name }: { name: string }) => name)).toEqual(["tickets"]);
});

test("the schema of an app holds only its additions to accounts", async () => {
  const { generate, read } = project(extended);
  await generate();
  const { tables } = JSON.parse(read("generated/migrations/schema.json"));
  const [, users] = tables;
  // biome-ignore format: one case a line
  expect(users).toMatchObject({ name: "users",
    columns: [{ name: "nickname" }, { name: "plan" }, { name: "invited_by" }],
    indexes: [{ name: "users_nickname_key" }, { name: "users_plan_created_at_idx" }, { name: "users_invited_by_idx" }],
    foreignKeys: [{ name: "users_invited_by_fkey" }],
    checks: [{ name: "users_plan_check" }],
  });
});

test("a service without models of its own has accounts, and no migration", async () => {
  const made = project({});
  expect((await made.generate()).problems).toEqual([]);
  expect(Object.keys(made.files("generated/migrations"))).toEqual(["schema.json"]);
  const { url, query } = await testDatabase();
  const code = await migrationsOf(made);
  await migrate({ url, ...code, log });
  expect(await verifyDatabase({ url, ...code, log })).toMatchObject({ differences: [], applied: 4 });
  expect(await query("SELECT FROM users")).toEqual([]);
});

test("an app that already has a table of that name gets instructions", async () => {
  const made = project(own);
  await made.generate();
  const { url, query } = await testDatabase();
  await query("CREATE TABLE users (login text)");
  const code = await migrationsOf(made);
  await expect(migrate({ url, ...code, log })).rejects.toThrow(
    /^kirak_0001_accounts failed at step 1 of 23 \(create_table on users\): relation "users" already exists; if the service did not create this table, rename it \(ALTER TABLE "users" RENAME TO …\) or drop it, and migrate again; in a copy of a database without its history, run npm run migrate -- baseline kirak_0001_accounts; nothing of it was applied$/,
  );
  await query("ALTER TABLE users RENAME TO old_users");
  expect(await migrate({ url, ...code, log })).toEqual([
    ...[
      "kirak_0001_accounts",
      "kirak_0002_rate_limits",
      "kirak_0003_web_auth",
      "kirak_0004_account_management",
      "0001_initial",
    ],
  ]);
});
