// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { migration as m0001 } from "./0001_initial.ts";
import { migration as m0002 } from "./0002_rename_posts_to_articles.ts";

/** All migrations, oldest first. */
export const migrations = [m0001, m0002];
