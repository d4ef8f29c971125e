// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as books } from "./models/books/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "added-field",
  models: [books],
  internalModels: [],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
