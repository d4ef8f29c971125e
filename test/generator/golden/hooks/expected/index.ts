// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { defineGraphqlHooks } from "kirak/hooks";
import * as graphqlHooks from "../models/hooks/graphql.ts";
import remindJob from "../models/jobs/remind.ts";
import tidyUpJob from "../models/jobs/tidy-up.ts";
import { routes as drafts } from "./models/drafts/routes.ts";
import { routes as memos } from "./models/memos/routes.ts";
import { routes as pages } from "./models/pages/routes.ts";
import { routes as stamps } from "./models/stamps/routes.ts";

/** The service, which `npm start` runs. */
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
  jobs: {
    remind: remindJob,
    "tidy-up": tidyUpJob,
  },
  mails: ["closing", "reminder"],
  migrations: new URL("./migrations/", import.meta.url),
  folder: new URL("./", import.meta.url),
});
