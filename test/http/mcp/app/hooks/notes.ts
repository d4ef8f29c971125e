import { ServiceError } from "kirak";
import type { NotesHooks } from "../generated/models/notes/model.ts";

export const before_update: NotesHooks["before_update"] = ({ where, data }) => {
  if (data.title === "refused") throw new ServiceError("NOTE_LOCKED", "The hook refuses this title.");
  return { where, data };
};
