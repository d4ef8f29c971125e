// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { makeKysely } from "kirak/kysely";
import { routes as meters } from "./models/Meters/routes.ts";
import { routes as readings } from "./models/readings/routes.ts";
import { routes as totals } from "./models/totals/routes.ts";
import { model as users } from "./models/users/model.ts";
import { validators as usersValidators } from "./models/users/validators.ts";

/** The service, which `npm start` runs. */
export const service = defineService({
  name: "kysely",
  models: [readings, meters, totals],
  internalModels: [],
  accounts: { users, validators: usersValidators },
  graphql: { hooks: {} },
  kysely: makeKysely,
  migrations: new URL("./migrations/", import.meta.url),
  folder: new URL("./", import.meta.url),
});
