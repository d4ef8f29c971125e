// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as badges } from "./models/badges/routes.ts";
import { routes as companies } from "./models/companies/routes.ts";
import { routes as people } from "./models/people/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "relations",
  models: [companies, people, badges],
  internalModels: [],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
