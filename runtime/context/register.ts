import type { AnyTypes } from "../model/index.ts";
import type { Registered } from "../register/index.ts";

/** The types of the app's models by key, internal ones and `users` among them; of any where it registers none. */
export type Models = Registered<"models", Readonly<Record<string, AnyTypes>>>;
