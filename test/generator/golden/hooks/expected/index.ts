// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "../runtime/index.ts";
import { routes as memos } from "./models/memos/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "hooks",
  models: [memos],
  internalModels: [],
  migrations: new URL("./migrations/", import.meta.url),
});
