// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { AuthHooks } from "kirak/hooks";
import type { OrderBy, Selection, Where } from "kirak/model";
import { type BuiltInUsersCreate, type BuiltInUsersRow, extendUsers } from "kirak/users";

export const model = extendUsers({
  fields: {
    is_auditor: { kind: "boolean", default: false },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

/** Who has an account. */
export interface UsersRow extends BuiltInUsersRow {
  /** The health authority sets it in the database; no route writes it. */
  is_auditor: boolean;
}

export interface UsersCreate extends BuiltInUsersCreate {
  is_auditor?: boolean;
}

export interface UsersTypes {
  row: UsersRow;
  create: UsersCreate;
  upsert: UsersCreate;
  update: Partial<UsersCreate>;
  where: Where<typeof model>;
  order: OrderBy<typeof model>;
  selection: Selection<typeof model>;
}

export type UsersAuthHooks = AuthHooks<UsersCreate>;
