// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type {} from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type { NotesTypes } from "./models/notes/model.ts";

/** What this app has, by name: so the types of `kirak` know it, those of `context.db` for one. */
declare module "kirak" {
  interface Register {
    models: {
      notes: NotesTypes;
      users: UsersTypes;
    };
  }
}
