// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type {} from "kirak";
import type { NotesTypes } from "./models/notes/model.ts";
import type { TeamsTypes } from "./models/teams/model.ts";
import type { UsersTypes } from "./models/users/model.ts";
import type { VisitsTypes } from "./models/visits/model.ts";

/** What this app has, by name: so the types of `kirak` know it, those of `context.db` for one. */
declare module "kirak" {
  interface Register {
    models: {
      teams: TeamsTypes;
      notes: NotesTypes;
      visits: VisitsTypes;
      users: UsersTypes;
    };
  }
}
