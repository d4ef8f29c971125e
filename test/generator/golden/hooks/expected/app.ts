// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { MailValue } from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type remindJob from "../models/jobs/remind.ts";
import type tidyUpJob from "../models/jobs/tidy-up.ts";
import type { DraftsTypes } from "./models/drafts/model.ts";
import type { MemosTypes } from "./models/memos/model.ts";
import type { PagesTypes } from "./models/pages/model.ts";
import type { StampsTypes } from "./models/stamps/model.ts";

/** Names of this app's parts, which types of `kirak` use, such as `context.db`. */
declare module "kirak" {
  interface Register {
    models: {
      memos: MemosTypes;
      drafts: DraftsTypes;
      pages: PagesTypes;
      stamps: StampsTypes;
      users: UsersTypes;
    };
    errors: "TITLE_TAKEN" | "TOO_LATE";
    jobs: {
      remind: typeof remindJob;
      "tidy-up": typeof tidyUpJob;
    };
    mails: {
      closing: object;
      reminder: { name: MailValue; title: MailValue; done?: MailValue | null; note?: MailValue | null };
    };
  }
}
