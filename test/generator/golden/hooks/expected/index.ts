// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { defineGraphqlHooks } from "kirak/hooks";
import * as graphqlHooks from "../models/hooks/graphql.ts";
import { routes as memos } from "./models/memos/routes.ts";
import { model as users } from "./models/users/model.ts";
import { policy as usersPolicy } from "./models/users/policy.ts";
import { validators as usersValidators } from "./models/users/validators.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "hooks",
  models: [memos],
  internalModels: [{ model: users, policy: usersPolicy }],
  accounts: { users, validators: usersValidators, hooks: {} },
  graphql: { hooks: defineGraphqlHooks(graphqlHooks) },
  migrations: new URL("./migrations/", import.meta.url),
});
