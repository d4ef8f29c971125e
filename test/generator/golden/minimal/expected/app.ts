// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type {} from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type { NotesTypes } from "./models/notes/model.ts";

/** Names of this app's parts, which types of `kirak` use, such as `context.db`. */
declare module "kirak" {
  interface Register {
    models: {
      notes: NotesTypes;
      users: UsersTypes;
    };
  }
}
