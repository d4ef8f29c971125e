// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type {} from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type { BadgesTypes } from "./models/badges/model.ts";
import type { CompaniesTypes } from "./models/companies/model.ts";
import type { PeopleTypes } from "./models/people/model.ts";

/** What this app has, by name: so the types of `kirak` know it, those of `context.db` for one. */
declare module "kirak" {
  interface Register {
    models: {
      companies: CompaniesTypes;
      people: PeopleTypes;
      badges: BadgesTypes;
      users: UsersTypes;
    };
  }
}
