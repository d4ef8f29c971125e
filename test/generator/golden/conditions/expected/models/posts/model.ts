// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "posts",
  typeName: "Posts",
  table: "posts",
  slug: "posts",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    title: { kind: "string", searchable: true },
    status: { kind: "string", enum: ["draft", "published"], default: "draft" },
    views: { kind: "integer", nullable: true, default: 0 },
    published_at: { kind: "datetime", nullable: true },
    hidden: { kind: "boolean", default: false },
    owner_email: { kind: "email", nullable: true },
    team_id: { kind: "bigint", nullable: true },
  },
  relations: {
    team: { kind: "belongs_to", field: "team_id", model: "teams", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "posts_team_id_fkey", field: "team_id" }],
});

export interface PostsRow {
  id: number;
  title: string;
  status: "draft" | "published";
  views: number | null;
  published_at: string | null;
  hidden: boolean;
  owner_email: string | null;
  team_id: number | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface PostsCreate {
  title: string;
  status?: "draft" | "published";
  views?: number | null;
  published_at?: string | null;
  hidden?: boolean;
  owner_email?: string | null;
  team_id?: number | null;
}

export type PostsUpdate = Partial<PostsCreate>;
export type PostsUpsert = PostsCreate & { id?: number };
export type PostsWhere = Where<typeof model>;
export type PostsOrder = OrderBy<typeof model>;
export type PostsSelection = Selection<typeof model>;

export interface PostsTypes {
  row: PostsRow;
  create: PostsCreate;
  update: PostsUpdate;
  upsert: PostsUpsert;
  where: PostsWhere;
  order: PostsOrder;
  selection: PostsSelection;
}

export type PostsHooks = Hooks<PostsTypes>;
