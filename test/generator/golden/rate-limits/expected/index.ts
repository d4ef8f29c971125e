// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as each } from "./models/each/routes.ts";
import { routes as flat } from "./models/flat/routes.ts";
import { routes as plain } from "./models/plain/routes.ts";
import { routes as some } from "./models/some/routes.ts";
import { routes as unlimited } from "./models/unlimited/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "fixture",
  models: [flat, each, some, unlimited, plain],
  internalModels: [],
  accounts: {},
  graphql: { hooks: {} },
  usesQueue: true,
  migrations: new URL("./migrations/", import.meta.url),
});
