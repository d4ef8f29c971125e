// Made by `npm run generate` from models/migrations/0002_index_open_tasks.ts. Edit that file, not this one.
import { linkMigration } from "kirak/migrations";
import sql from "../../models/migrations/0002_index_open_tasks.ts";

// Additive.
export const migration = linkMigration({
  name: "0002_index_open_tasks",
  parent: "0001_initial",
  sql,
});
