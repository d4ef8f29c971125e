// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type {} from "kirak";
import type { Kysely } from "kirak/kysely";
import type { Database } from "./database.ts";
import type { MetersTypes } from "./models/Meters/model.ts";
import type { ReadingsTypes } from "./models/readings/model.ts";
import type { TotalsTypes } from "./models/totals/model.ts";
import type { UsersTypes } from "./models/users/model.ts";

/** Names of this app's parts, which types of `kirak` use, such as `context.db`. */
declare module "kirak" {
  interface Register {
    models: {
      readings: ReadingsTypes;
      Meters: MetersTypes;
      totals: TotalsTypes;
      users: UsersTypes;
    };
    kysely: Kysely<Database>;
  }
}
