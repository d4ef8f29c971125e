// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { MailValue } from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type digestJob from "../models/jobs/digest.ts";
import type { CommentsTypes } from "./models/comments/model.ts";
import type { InvitationsTypes } from "./models/invitations/model.ts";
import type { MembershipsTypes } from "./models/memberships/model.ts";
import type { OrganisationsTypes } from "./models/organisations/model.ts";
import type { ProjectsTypes } from "./models/projects/model.ts";
import type { TasksTypes } from "./models/tasks/model.ts";

/** Names of this app's parts, which types of `kirak` use, such as `context.db`. */
declare module "kirak" {
  interface Register {
    models: {
      organisations: OrganisationsTypes;
      memberships: MembershipsTypes;
      invitations: InvitationsTypes;
      projects: ProjectsTypes;
      tasks: TasksTypes;
      comments: CommentsTypes;
      users: UsersTypes;
    };
    errors: "INVITATION_USED";
    jobs: {
      digest: typeof digestJob;
    };
    mails: {
      assigned: { title: MailValue; due_on?: MailValue | null; name?: MailValue | null };
      digest: { count: MailValue; tasks: MailValue };
      invited: { id: MailValue; organisation: MailValue };
    };
  }
}
