// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type {} from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type { AuthorsTypes } from "./models/authors/model.ts";
import type { BooksTypes } from "./models/books/model.ts";
import type { ClosetsTypes } from "./models/closets/model.ts";
import type { DesksTypes } from "./models/desks/model.ts";
import type { DrawersTypes } from "./models/drawers/model.ts";
import type { FiguresTypes } from "./models/figures/model.ts";
import type { LineItems2Types } from "./models/LineItems/model.ts";
import type { LineItemsTypes } from "./models/line_items/model.ts";
import type { NotesTypes } from "./models/notes/model.ts";
import type { SafesTypes } from "./models/safes/model.ts";
import type { TicketsTypes } from "./models/tickets/model.ts";

/** What this app has, by name: so the types of `kirak` know it, those of `context.db` for one. */
declare module "kirak" {
  interface Register {
    models: {
      authors: AuthorsTypes;
      books: BooksTypes;
      notes: NotesTypes;
      desks: DesksTypes;
      drawers: DrawersTypes;
      safes: SafesTypes;
      closets: ClosetsTypes;
      figures: FiguresTypes;
      line_items: LineItemsTypes;
      LineItems: LineItems2Types;
      tickets: TicketsTypes;
      users: UsersTypes;
    };
  }
}
