// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 5 steps.
// Widening: drop_check:posts.posts_state_check
// Widening: set_type:articles.state
// Widening: set_default:articles.state
// Widening: add_check:articles.articles_state_check
// Running older instances fail where they use it, until they are replaced: rename_table:posts
// Running older instances fail where they use it, until they are replaced: rename_column:articles.heading
export const migration = defineMigration({
  name: "0002_rename_posts_to_articles_and_more",
  parent: "0001_initial",
  up: [
    { step: "drop_check", table: "posts", name: "posts_state_check" },
    { step: "rename_table", table: "posts", to: "articles" },
    { step: "rename_column", table: "articles", column: "heading", to: "title" },
    { step: "rename_index", table: "articles", name: "posts_heading_key", to: "articles_title_key" },
    { step: "rename_index", table: "articles", name: "posts_parent_id_idx", to: "articles_parent_id_idx" },
    {
      step: "rename_constraint",
      table: "articles",
      name: "posts_parent_id_fkey",
      to: "articles_parent_id_fkey",
    },
    { step: "set_type", table: "articles", column: "state", type: "varchar(30)" },
    {
      step: "set_default",
      table: "articles",
      column: "state",
      type: "varchar(30)",
      default: { literal: "draft" },
    },
    {
      step: "add_check",
      table: "articles",
      check: { name: "articles_state_check", column: "state", oneOf: ["draft", "live", "archived"] },
    },
  ],
  down: [
    { step: "drop_check", table: "articles", name: "articles_state_check" },
    { step: "rename_table", table: "articles", to: "posts" },
    { step: "rename_column", table: "posts", column: "title", to: "heading" },
    { step: "rename_index", table: "posts", name: "articles_title_key", to: "posts_heading_key" },
    { step: "rename_index", table: "posts", name: "articles_parent_id_idx", to: "posts_parent_id_idx" },
    {
      step: "rename_constraint",
      table: "posts",
      name: "articles_parent_id_fkey",
      to: "posts_parent_id_fkey",
    },
    { step: "set_default", table: "posts", column: "state", type: "varchar(30)", default: null },
    { step: "set_type", table: "posts", column: "state", type: "varchar(20)" },
    {
      step: "add_check",
      table: "posts",
      check: { name: "posts_state_check", column: "state", oneOf: ["draft", "live"] },
    },
  ],
});
