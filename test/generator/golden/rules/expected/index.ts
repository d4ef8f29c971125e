// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as memberships } from "./models/memberships/routes.ts";
import { routes as organisations } from "./models/organisations/routes.ts";
import { routes as projects } from "./models/projects/routes.ts";
import { routes as teams } from "./models/teams/routes.ts";
import { model as users } from "./models/users/model.ts";
import { validators as usersValidators } from "./models/users/validators.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "reserved-words",
  models: [teams, organisations, memberships, projects],
  internalModels: [],
  accounts: { users, validators: usersValidators },
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
