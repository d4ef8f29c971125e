// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { defineAuthHooks } from "kirak/hooks";
import * as authHooks from "../models/hooks/auth.ts";
import { routes as teams } from "./models/teams/routes.ts";
import { routes as tickets } from "./models/tickets/routes.ts";
import type { UsersAuthHooks } from "./models/users/model.ts";
import { model as users } from "./models/users/model.ts";
import { policy as usersPolicy } from "./models/users/policy.ts";
import { validators as usersValidators } from "./models/users/validators.ts";

/** The service, which `npm start` runs. */
export const service = defineService({
  name: "accounts",
  models: [teams, tickets],
  internalModels: [],
  accounts: {
    users,
    policy: usersPolicy,
    validators: usersValidators,
    hooks: defineAuthHooks<UsersAuthHooks>()(authHooks),
  },
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
  folder: new URL("./", import.meta.url),
});
