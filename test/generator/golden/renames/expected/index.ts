// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as articles } from "./models/articles/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "renames",
  models: [articles],
  internalModels: [],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
