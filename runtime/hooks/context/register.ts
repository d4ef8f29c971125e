import type { Registered } from "../../core/errors/service-error.ts";
import type { AnyTypes } from "../../models/index.ts";
import type { HasPayload } from "./job-payload.ts";

/** The types of the app's models by key, internal ones and `users` among them; of any where it registers none. */
export type Models = Registered<"models", Readonly<Record<string, AnyTypes>>>;

/** What `defineJob` gave in the files of `models/jobs/`, by the name of the job. */
export type Jobs = Registered<
  "jobs",
  Readonly<Record<string, HasPayload<Readonly<Record<string, unknown>>>>>
>;
