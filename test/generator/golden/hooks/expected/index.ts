// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { defineGraphqlHooks } from "kirak/hooks";
import * as graphqlHooks from "../models/hooks/graphql.ts";
import { routes as drafts } from "./models/drafts/routes.ts";
import { routes as memos } from "./models/memos/routes.ts";
import { routes as pages } from "./models/pages/routes.ts";
import { routes as stamps } from "./models/stamps/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "hooks",
  models: [memos, drafts, pages, stamps],
  internalModels: [],
  accounts: {},
  graphql: { hooks: defineGraphqlHooks(graphqlHooks) },
  errors: {
    TITLE_TAKEN: { status: 409, description: 'Somebody else has "this" title.' },
    TOO_LATE: { status: 410, description: "Memos are taken until noon." },
  },
  migrations: new URL("./migrations/", import.meta.url),
});
