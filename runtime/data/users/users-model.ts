import { userFields } from "../../../vocabulary/accounts/user-fields.ts";
import { type FieldValues, fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import { fieldSchema } from "../../../vocabulary/fields/field-schema.ts";
import type { AuthHooks } from "../../hooks/index.ts";
import { definePolicy, type FieldRules, type Policy, type PolicyLiteral } from "../../models/access/index.ts";
import {
  columnsOf,
  defineModel,
  defineValidators,
  type Model,
  type OrderBy,
  type RecordSchema,
  type Selection,
  type Validators,
  type Where,
} from "../../models/index.ts";

/** The accounts as a model, for joins and row conditions. */
export const builtInUsers = defineModel({
  key: "users",
  typeName: "Users",
  table: "users",
  slug: "users",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: userFields,
  relations: {},
  uniqueKeys: [
    { name: "users_email_key", fields: ["email"] },
    { name: "users_phone_number_key", fields: ["phone_number"] },
  ],
  foreignKeys: [],
});

/** The app's additions to the accounts. */
interface Extension<Fields, Relations> extends Pick<Model, "uniqueKeys" | "foreignKeys"> {
  readonly fields: Fields;
  readonly relations: Relations;
}

/** Declares the accounts with the app's additions, as `generated/models/users/model.ts` does. */
export function extendUsers<const Fields extends Model["fields"], const Relations extends Model["relations"]>(
  own: Extension<Fields, Relations>,
) {
  const { fields, relations, uniqueKeys, foreignKeys } = own;
  return {
    ...builtInUsers,
    fields: { ...builtInUsers.fields, ...fields },
    relations,
    uniqueKeys: [...builtInUsers.uniqueKeys, ...uniqueKeys],
    foreignKeys,
  };
}

type Fields = typeof userFields;
type Values = {
  [Name in keyof Fields]:
    | FieldValues[Fields[Name]["kind"]]
    | (Fields[Name] extends { readonly nullable: true } ? null : never);
};

/** A row of `users`, without the additions of an app. */
export interface BuiltInUsersRow extends Omit<Values, "password"> {
  id: number;
  created_at: string;
  updated_at: string;
}

/** A new row of `users`, without the additions of an app. */
export type BuiltInUsersCreate = Partial<Values>;

/** The types of `users` if an app adds nothing. */
export interface BuiltInUsersTypes {
  row: BuiltInUsersRow;
  create: BuiltInUsersCreate;
  upsert: BuiltInUsersCreate;
  update: BuiltInUsersCreate;
  where: Where<typeof builtInUsers>;
  order: OrderBy<typeof builtInUsers>;
  selection: Selection<typeof builtInUsers>;
}

/** The hooks of accounts if an app adds no column. */
export type UsersAuthHooks = AuthHooks<BuiltInUsersCreate>;

/** The columns of accounts that joins can read, with the roles that may. No other column can be read. */
export type UsersPolicy = Pick<Policy, "fields">;

/** Declares which columns of accounts joins can read, as `generated/models/users/policy.ts` does. */
export function defineUsersPolicy<M extends Model = typeof builtInUsers>(
  policy: Pick<PolicyLiteral<M>, "fields">,
): UsersPolicy {
  return policy;
}

/** No role can run an operation on accounts. Joins can only read the columns that the app opens. */
export function policyOfUsers(users: Model, opened: UsersPolicy): Policy {
  const fields: Record<string, FieldRules> = {};
  for (const name of columnsOf(users).keys()) fields[name] = { read: [], ...opened.fields[name] };
  return definePolicy({
    fetch: {},
    search: {},
    count: {},
    exists: {},
    create: {},
    update: {},
    upsert: {},
    delete: {},
    destroy: {},
    restore: {},
    fields,
  });
}

const builtIn = Object.fromEntries(
  Object.entries(userFields).map(([name, field]) => [name, fieldSchema(field)]),
);

/** Declares the JSON Schemas of the columns that an app adds to the accounts. */
export function extendUsersValidators({ required = [], properties: own }: RecordSchema): Validators {
  const properties = { ...builtIn, ...own };
  return defineValidators({
    create: { required, properties },
    update: { properties },
    upsert: { required, properties: { id: fieldKinds.bigint.schema, ...properties } },
  });
}
