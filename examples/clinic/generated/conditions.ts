// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, defineCondition, eq, exists } from "kirak/access";
import type { model as practices } from "./models/practices/model.ts";
import type { model as staff } from "./models/staff/model.ts";

/** Manages the practice. */
export const manages = defineCondition<typeof practices, { staff: typeof staff }>(
  exists("staff", and(eq("user_id", caller.user_id), eq("duty", "manager"))),
);
/** Works at the practice. */
export const works_at = defineCondition<typeof practices, { staff: typeof staff }>(
  exists("staff", eq("user_id", caller.user_id)),
);
