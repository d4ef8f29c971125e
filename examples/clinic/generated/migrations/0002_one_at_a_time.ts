// Made by `npm run generate` from models/migrations/0002_one_at_a_time.ts. Edit that file, not this one.
import { linkMigration } from "kirak/migrations";
import sql from "../../models/migrations/0002_one_at_a_time.ts";

// Destructive: sql:0002_one_at_a_time, accepted with --accept-destructive
export const migration = linkMigration({
  name: "0002_one_at_a_time",
  parent: "0001_initial",
  sql,
});
