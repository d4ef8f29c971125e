// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "../runtime/index.ts";
import { routes as notes } from "./models/notes/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "minimal",
  models: [notes],
  internalModels: [],
  migrations: new URL("./migrations/", import.meta.url),
});
