// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as posts } from "./models/posts/routes.ts";
import { routes as teams } from "./models/teams/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "conditions",
  models: [posts, teams],
  internalModels: [],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
