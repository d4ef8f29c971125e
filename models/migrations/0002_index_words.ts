import { defineSqlMigration } from "kirak/migrations";

// Visitors search for words anywhere in a text, and a B-tree cannot find these.
export default defineSqlMigration({
  class: "additive",
  up: [
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX books_title_trgm_idx ON books USING gin (title gin_trgm_ops)",
    "CREATE INDEX books_subtitle_trgm_idx ON books USING gin (subtitle gin_trgm_ops)",
    "CREATE INDEX books_blurb_trgm_idx ON books USING gin (blurb gin_trgm_ops)",
  ],
  down: "DROP INDEX books_title_trgm_idx; DROP INDEX books_subtitle_trgm_idx; DROP INDEX books_blurb_trgm_idx",
});
