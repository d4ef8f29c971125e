// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { AuthHooks } from "kirak/hooks";
import type { OrderBy, Selection, Where } from "kirak/model";
import { type BuiltInUsersCreate, type BuiltInUsersRow, extendUsers } from "kirak/users";

export const model = extendUsers({
  fields: {
    team_id: { kind: "bigint", nullable: true },
  },
  relations: {
    team: { kind: "belongs_to", field: "team_id", model: "teams", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "users_team_id_fkey", field: "team_id" }],
});

/** Who has an account. */
export interface UsersRow extends BuiltInUsersRow {
  team_id: number | null;
}

export interface UsersCreate extends BuiltInUsersCreate {
  team_id?: number | null;
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
