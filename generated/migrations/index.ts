// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { migration as m0001 } from "./0001_initial.ts";

/** All migrations, oldest first. */
export const migrations = [m0001];
