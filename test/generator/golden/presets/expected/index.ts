// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as notes } from "./models/notes/routes.ts";
import { routes as teams } from "./models/teams/routes.ts";
import { model as users } from "./models/users/model.ts";
import { validators as usersValidators } from "./models/users/validators.ts";
import { routes as visits } from "./models/visits/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "presets",
  models: [teams, notes, visits],
  internalModels: [],
  accounts: { users, validators: usersValidators },
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
