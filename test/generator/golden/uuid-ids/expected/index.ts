// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as devices } from "./models/devices/routes.ts";
import { routes as readings } from "./models/readings/routes.ts";
import { model as users } from "./models/users/model.ts";
import { policy as usersPolicy } from "./models/users/policy.ts";
import { validators as usersValidators } from "./models/users/validators.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "uuid-ids",
  models: [devices, readings],
  internalModels: [{ model: users, policy: usersPolicy }],
  accounts: { users, validators: usersValidators, hooks: {} },
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
