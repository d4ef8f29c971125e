// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { AuthHooks } from "kirak/hooks";
import type { OrderBy, Selection, Where } from "kirak/model";
import { type BuiltInUsersCreate, type BuiltInUsersRow, extendUsers } from "kirak/users";

export const model = extendUsers({
  fields: {
    nickname: { kind: "string", nullable: true },
    plan: { kind: "string", enum: ["free", "team"], default: "free" },
    team_id: { kind: "bigint", nullable: true },
  },
  relations: {
    team: { kind: "belongs_to", field: "team_id", model: "teams", references: "id" },
    tickets: { kind: "has_many", field: "id", model: "tickets", references: "author_id" },
  },
  uniqueKeys: [{ name: "users_nickname_key", fields: ["nickname"] }],
  foreignKeys: [{ name: "users_team_id_fkey", field: "team_id" }],
});

/** People and their plans. */
export interface UsersRow extends BuiltInUsersRow {
  /** Shown beside tickets. */
  nickname: string | null;
  plan: "free" | "team";
  team_id: number | null;
}

export interface UsersCreate extends BuiltInUsersCreate {
  nickname?: string | null;
  plan?: "free" | "team";
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
