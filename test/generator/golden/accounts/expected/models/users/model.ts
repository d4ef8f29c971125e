// Made by `npm run generate` from the built-in accounts and models/models.json. Edit that file, not this one.
import type { AuthHooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "users",
  typeName: "Users",
  table: "users",
  slug: "users",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    email: { kind: "email", nullable: true },
    password: { kind: "password", nullable: true },
    role: { kind: "string", default: "user" },
    first_name: { kind: "string", nullable: true },
    last_name: { kind: "string", nullable: true },
    phone_number: { kind: "string", nullable: true },
    is_verified: { kind: "boolean", default: false },
    is_active: { kind: "boolean", default: true },
    last_login_at: { kind: "datetime", nullable: true },
    credentials_changed_at: { kind: "datetime", nullable: true },
    nickname: { kind: "string", nullable: true },
    plan: { kind: "string", enum: ["free", "team"], default: "free" },
    team_id: { kind: "bigint", nullable: true },
  },
  relations: {
    team: { kind: "belongs_to", field: "team_id", model: "teams", references: "id" },
    tickets: { kind: "has_many", field: "id", model: "tickets", references: "author_id" },
  },
  uniqueKeys: [
    { name: "users_email_key", fields: ["email"] },
    { name: "users_phone_number_key", fields: ["phone_number"] },
    { name: "users_nickname_key", fields: ["nickname"] },
  ],
  foreignKeys: [{ name: "users_team_id_fkey", field: "team_id" }],
});

/** People and their plans. */
export interface UsersRow {
  id: number;
  /** In its canonical form; null where the account was made by phone. */
  email: string | null;
  role: string;
  first_name: string | null;
  last_name: string | null;
  /** In E.164. */
  phone_number: string | null;
  /** Whether the e-mail address is known to be the account's own. */
  is_verified: boolean;
  is_active: boolean;
  last_login_at: string | null;
  /** When the password was set anew, or all sessions were ended. No older token makes credentials. */
  credentials_changed_at: string | null;
  /** Shown beside tickets. */
  nickname: string | null;
  plan: "free" | "team";
  team_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface UsersCreate {
  email?: string | null;
  password?: string | null;
  role?: string;
  first_name?: string | null;
  last_name?: string | null;
  phone_number?: string | null;
  is_verified?: boolean;
  is_active?: boolean;
  last_login_at?: string | null;
  credentials_changed_at?: string | null;
  nickname?: string | null;
  plan?: "free" | "team";
  team_id?: number | null;
}

export type UsersUpdate = Partial<UsersCreate>;
export type UsersWhere = Where<typeof model>;
export type UsersOrder = OrderBy<typeof model>;
export type UsersSelection = Selection<typeof model>;

export interface UsersTypes {
  row: UsersRow;
  create: UsersCreate;
  update: UsersUpdate;
  where: UsersWhere;
  order: UsersOrder;
  selection: UsersSelection;
}

export type UsersAuthHooks = AuthHooks<UsersTypes>;
