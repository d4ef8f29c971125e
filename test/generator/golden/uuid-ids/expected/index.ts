// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "../runtime/index.ts";
import { routes as devices } from "./models/devices/routes.ts";
import { routes as readings } from "./models/readings/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "uuid-ids",
  models: [devices, readings],
  internalModels: [],
  migrations: new URL("./migrations/", import.meta.url),
});
