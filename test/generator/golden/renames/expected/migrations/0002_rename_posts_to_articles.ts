// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "../../runtime/database/index.ts";

// Additive: 8 steps.
// Widening: drop_check:posts.posts_state_check
// Widening: set_type:articles.state
// Widening: set_default:articles.state
// Widening: add_check:articles.articles_state_check
export const migration = defineMigration({
  name: "0002_rename_posts_to_articles",
  parent: "0001_initial",
  up: [
    { step: "drop_foreign_key", table: "posts", name: "posts_parent_id_fkey" },
    { step: "drop_check", table: "posts", name: "posts_state_check" },
    { step: "drop_index", table: "posts", name: "posts_heading_key" },
    { step: "drop_index", table: "posts", name: "posts_parent_id_idx" },
    { step: "rename_table", table: "posts", to: "articles" },
    { step: "rename_column", table: "articles", column: "heading", to: "title" },
    { step: "set_type", table: "articles", column: "state", type: "varchar(30)" },
    {
      step: "set_default",
      table: "articles",
      column: "state",
      type: "varchar(30)",
      default: { literal: "draft" },
    },
    {
      step: "add_index",
      table: "articles",
      index: { name: "articles_title_key", columns: ["title"], unique: true, live: true },
    },
    {
      step: "add_index",
      table: "articles",
      index: { name: "articles_parent_id_idx", columns: ["parent_id"], unique: false, live: false },
    },
    {
      step: "add_check",
      table: "articles",
      check: { name: "articles_state_check", column: "state", oneOf: ["draft", "live", "archived"] },
    },
    {
      step: "add_foreign_key",
      table: "articles",
      foreignKey: {
        name: "articles_parent_id_fkey",
        column: "parent_id",
        references: { table: "articles", column: "id" },
        onDelete: "restrict",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "articles", name: "articles_parent_id_fkey" },
    { step: "drop_check", table: "articles", name: "articles_state_check" },
    { step: "drop_index", table: "articles", name: "articles_title_key" },
    { step: "drop_index", table: "articles", name: "articles_parent_id_idx" },
    { step: "rename_table", table: "articles", to: "posts" },
    { step: "rename_column", table: "posts", column: "title", to: "heading" },
    { step: "set_default", table: "posts", column: "state", type: "varchar(30)", default: null },
    { step: "set_type", table: "posts", column: "state", type: "varchar(20)" },
    {
      step: "add_index",
      table: "posts",
      index: { name: "posts_heading_key", columns: ["heading"], unique: true, live: true },
    },
    {
      step: "add_index",
      table: "posts",
      index: { name: "posts_parent_id_idx", columns: ["parent_id"], unique: false, live: false },
    },
    {
      step: "add_check",
      table: "posts",
      check: { name: "posts_state_check", column: "state", oneOf: ["draft", "live"] },
    },
    {
      step: "add_foreign_key",
      table: "posts",
      foreignKey: {
        name: "posts_parent_id_fkey",
        column: "parent_id",
        references: { table: "posts", column: "id" },
        onDelete: "restrict",
      },
    },
  ],
});
