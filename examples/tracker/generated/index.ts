// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import digestJob from "../models/jobs/digest.ts";
import invitationsRoutes from "../models/routes/invitations.ts";
import { routes as comments } from "./models/comments/routes.ts";
import { routes as invitations } from "./models/invitations/routes.ts";
import { routes as memberships } from "./models/memberships/routes.ts";
import { routes as organisations } from "./models/organisations/routes.ts";
import { routes as projects } from "./models/projects/routes.ts";
import { routes as tasks } from "./models/tasks/routes.ts";
import { policy as usersPolicy } from "./models/users/policy.ts";

/** The service, which `npm start` runs. */
export const service = defineService({
  name: "tracker",
  models: [organisations, memberships, invitations, projects, tasks, comments],
  internalModels: [],
  accounts: { policy: usersPolicy },
  graphql: { hooks: {} },
  routes: [invitationsRoutes],
  errors: {
    INVITATION_USED: { status: 409, description: "This invitation was taken up before, or taken back." },
  },
  jobs: {
    digest: digestJob,
  },
  mails: ["assigned", "digest", "invited"],
  migrations: new URL("./migrations/", import.meta.url),
  folder: new URL("./", import.meta.url),
});
