// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as notes } from "./models/notes/routes.ts";

/** The service, which `npm start` runs. */
export const service = defineService({
  name: "minimal",
  models: [notes],
  internalModels: [],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
  folder: new URL("./", import.meta.url),
});
