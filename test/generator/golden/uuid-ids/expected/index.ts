// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as devices } from "./models/devices/routes.ts";
import { routes as readings } from "./models/readings/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "uuid-ids",
  models: [devices, readings],
  internalModels: [],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
