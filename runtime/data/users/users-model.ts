import { userFields } from "../../../vocabulary/accounts/user-fields.ts";
import type { FieldValues } from "../../../vocabulary/fields/field-kinds.ts";
import type { AuthHooks } from "../../hooks/index.ts";
import { defineModel, type Model, type OrderBy, type Selection, type Where } from "../../models/index.ts";

/** The accounts as a model, which joins and row conditions reach (contract: "Internal tables"). */
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

/** What an app may add to the accounts. */
interface Extension<Fields, Relations> extends Pick<Model, "uniqueKeys" | "foreignKeys"> {
  readonly fields: Fields;
  readonly relations: Relations;
}

/** Declares the accounts with what an app adds to them, as `generated/models/users/model.ts` does. */
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

/** A row of `users`, without what an app adds. */
export interface BuiltInUsersRow extends Omit<Values, "password"> {
  id: number;
  created_at: string;
  updated_at: string;
}

/** What a new row of `users` may hold, without what an app adds. */
export type BuiltInUsersCreate = Partial<Values>;

/** The types of `users`, where an app adds nothing. */
export interface BuiltInUsersTypes {
  row: BuiltInUsersRow;
  create: BuiltInUsersCreate;
  upsert: BuiltInUsersCreate;
  update: BuiltInUsersCreate;
  where: Where<typeof builtInUsers>;
  order: OrderBy<typeof builtInUsers>;
  selection: Selection<typeof builtInUsers>;
}

/** The hooks of accounts to which an app adds no column. */
export type UsersAuthHooks = AuthHooks<BuiltInUsersCreate>;
