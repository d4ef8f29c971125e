import { describe, expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { operations } from "#vocabulary/operations";
import { loadFiles } from "../load/load-text.ts";

const open = { fetch: [{ role: "*" }] };
const books = { fields: { title: { type: "string" } }, access: open };

async function resolved(files: Record<string, unknown>): Promise<Map<string, ModelDefinition>> {
  const { definition, diagnostics } = await loadFiles(files);
  expect(diagnostics).toEqual([]);
  return new Map(definition?.models.map((model) => [model.key, model]));
}

/** The model of accounts, with an entry of the models file, or without one. */
async function accounts(entry?: object): Promise<ModelDefinition> {
  const users = (await resolved({ "models.json": entry === undefined ? {} : { users: entry } })).get("users");
  if (users === undefined) throw new Error("no users");
  return users;
}

const columns = [
  ...["email", "password", "role", "first_name", "last_name", "phone_number"],
  ...["is_verified", "is_active", "last_login_at", "credentials_changed_at"],
];

test("the accounts follow the models of the app", async () => {
  const models = await resolved({ "models.json": { books } });
  expect([...models].map(([key, { builtIn, internal }]) => [key, builtIn, internal])).toEqual([
    ["books", false, false],
    ["users", true, true],
  ]);
});

describe("without an entry", () => {
  test("users has the built-in columns and comes from no file of the app", async () => {
    const users = await accounts();
    expect(users.fields.map(({ name }) => name)).toEqual(columns);
    expect(users.source).toBe("vocabulary/accounts/user-fields.ts");
    expect(users.uniqueKeys.map(({ name }) => name)).toEqual(["users_email_key", "users_phone_number_key"]);
  });

  test("no role runs an operation or reads a field", async () => {
    const { access } = await accounts();
    expect(Object.values(access.operations).flat()).toEqual([]);
    expect(access.fields.map(({ field }) => field).sort()).toEqual(
      ["id", "created_at", "updated_at", ...columns].sort(),
    );
    expect(access.fields.every(({ read, write }) => read?.length === 0 && write === null)).toBe(true);
  });
});

describe("an entry", () => {
  test("adds fields, relations, keys and indexes after the built-in ones", async () => {
    const models = await resolved({
      "models.json": {
        orders: {
          fields: { user_id: { type: "belongs_to", relationship: { model: "users" } } },
          access: { fetch: [{ role: "staff", condition: "user.is_active = true AND user.plan = 'free'" }] },
        },
      },
      "people.models.json": {
        users: {
          description: "People.",
          fields: {
            plan: { type: "string", required: true, default: "free" },
            orders: { type: "has_many", relationship: { model: "orders", foreign_key: "user_id" } },
          },
          unique: [["first_name", "last_name"]],
          indexes: [["plan", "created_at"]],
        },
      },
    });
    const users = models.get("users");
    expect(users?.fields.map(({ name }) => name)).toEqual([...columns, "plan"]);
    expect(users).toMatchObject({
      source: "people.models.json",
      description: "People.",
      relations: [{ name: "orders", kind: "has_many", model: "orders", references: "user_id" }],
      indexes: [{ name: "users_plan_created_at_idx" }],
    });
    expect(users?.uniqueKeys.map(({ fields }) => fields)).toEqual([
      ["email"],
      ["phone_number"],
      ["first_name", "last_name"],
    ]);
    expect(models.get("orders")?.fields[0]).toMatchObject({
      kind: "bigint",
      foreignKey: { table: "users", column: "id" },
    });
  });

  test("opens only the fields with read rules, also of its own fields", async () => {
    const { access } = await accounts({
      fields: { nickname: { type: "string" }, note: { type: "string" } },
      access: {
        fields: { nickname: { read: ["*"] }, email: { read: ["staff"], write: [] }, id: { read: ["*"] } },
      },
    });
    const readable = access.fields.filter(({ read }) => read === null || read.length > 0);
    expect(readable).toEqual([
      { field: "id", read: ["*"], write: null },
      { field: "email", read: ["staff"], write: [] },
      { field: "nickname", read: ["*"], write: null },
    ]);
    expect(access.fields.find(({ field }) => field === "note")).toEqual({
      field: "note",
      read: [],
      write: null,
    });
  });

  test("may say what is so anyway", async () => {
    const entry = { table: "users", slug: "users", id_type: "integer", soft_delete: false, internal: true };
    const { source: _, ...users } = await accounts(entry);
    const { source: __, ...plain } = await accounts();
    expect(users).toEqual(plain);
  });

  test("is an error for each key and operation that it cannot have", async () => {
    const access = Object.fromEntries(operations.map((operation) => [operation, [{ role: "*" }]]));
    const { diagnostics, definition } = await loadFiles({ "models.json": { users: { access } } });
    expect(definition).toBeNull();
    expect(diagnostics.map(({ code }) => code)).toEqual(operations.map(() => "built-in-key"));
  });
});

test("the hooks of accounts are those of hooks/auth.ts", async () => {
  const models = await resolved({ "models.json": { books }, "hooks/auth.ts": "export {};" });
  expect(models.get("users")?.hooks).toMatchObject({ file: "hooks/auth.ts" });
});

test("a slug and an index of the app may be called like those of accounts, whose names stay", async () => {
  const auth = { type: "string", unique: true };
  const models = await resolved({
    "models.json": {
      people: { ...books, slug: "users" },
      auth_token: { ...books, fields: { blacklist_jti: auth }, table: "auth_token" },
    },
  });
  expect(models.get("people")?.slug).toBe("users");
  expect(models.get("auth_token")?.uniqueKeys[0]?.name).toMatch(/^auth_token_blacklist_jti_key_\w{8}$/);
});
