import { expect, test } from "vitest";
import {
  builtInUsers,
  defineUsersPolicy,
  extendUsers,
  extendUsersValidators,
} from "#runtime/data/users/index";
import { defineService } from "#runtime/index";
import { columnsOf } from "#runtime/models/index";
import { internalTables } from "#vocabulary/migrations/internal-tables";

const users = extendUsers({
  fields: { nickname: { kind: "string", nullable: true }, team_id: { kind: "bigint", nullable: true } },
  relations: { team: { kind: "belongs_to", field: "team_id", model: "teams", references: "id" } },
  uniqueKeys: [{ name: "users_nickname_key", fields: ["nickname"] }],
  foreignKeys: [{ name: "users_team_id_fkey", field: "team_id" }],
});

const declared = {
  name: "test",
  models: [],
  internalModels: [],
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
};

test("a service that adds nothing has the built-in accounts, of which joins show nothing", () => {
  const { accounts, internalModels } = defineService({ ...declared, accounts: {} });
  expect(accounts).toMatchObject({ users: builtInUsers, hooks: {} });
  const [{ model, policy } = { model: null, policy: null }, ...others] = internalModels;
  expect(others).toEqual([]);
  expect(model).toBe(builtInUsers);
  expect(Object.keys(policy?.fields ?? {})).toEqual([...columnsOf(builtInUsers).keys()]);
  expect(Object.values(policy?.fields ?? {}).every((rules) => rules?.read?.length === 0)).toBe(true);
});

test("accounts have no operations, and joins return only those of their columns that are opened", () => {
  const policy = defineUsersPolicy<typeof users>({
    fields: { nickname: { read: ["*"] }, id: { read: ["staff"] } },
  });
  const [internal] = defineService({ ...declared, accounts: { users, policy } }).internalModels;
  if (internal === undefined) throw new Error("the accounts are missing");
  const { fields, ...operations } = internal.policy;
  expect(Object.values(operations).every((op) => op.rules.length + op.insertRules.length === 0)).toBe(true);
  expect(fields).toMatchObject({ nickname: { read: ["*"] }, id: { read: ["staff"] } });
  const closed = Object.entries(fields).filter(([, rules]) => rules?.read?.length === 0);
  expect(closed).toHaveLength(columnsOf(users).size - 2);
});

test("a rule without read access opens nothing", () => {
  const policy = defineUsersPolicy({ fields: { email: { write: ["admin"] } } });
  const [internal] = defineService({ ...declared, accounts: { policy } }).internalModels;
  expect(internal?.policy.fields["email"]).toEqual({ read: [], write: ["admin"] });
});

test("an app's additions to accounts come after the built-in ones", () => {
  expect(Object.keys(users.fields)).toEqual([...Object.keys(builtInUsers.fields), "nickname", "team_id"]);
  expect(users.uniqueKeys.map(({ name }) => name)).toEqual([
    ...builtInUsers.uniqueKeys.map(({ name }) => name),
    "users_nickname_key",
  ]);
  expect(users).toMatchObject({ table: "users", relations: { team: { model: "teams" } } });
  expect(users.foreignKeys).toEqual([{ name: "users_team_id_fkey", field: "team_id" }]);
});

test("the built-in keys are those that the tables have", () => {
  expect(builtInUsers.uniqueKeys.map(({ name }) => name)).toEqual(internalTables.users);
});

test("bodies hold the built-in columns and the app's, and have the app's required fields", () => {
  const own = { plan: { type: "string", maxLength: 20 } };
  const { create, update, upsert } = extendUsersValidators({ required: ["plan"], properties: own });
  expect(create.required).toEqual(["plan"]);
  expect(Object.keys(create.properties)).toEqual([...Object.keys(builtInUsers.fields), "plan"]);
  expect(create.properties).toMatchObject({
    email: { type: ["string", "null"], format: "email" },
    role: { type: "string", maxLength: 255 },
    is_active: { type: "boolean" },
    plan: { type: "string", maxLength: 20 },
  });
  expect(update).toEqual({ properties: create.properties });
  expect(upsert.properties).toEqual({ id: { type: "integer", format: "int64" }, ...create.properties });
});
