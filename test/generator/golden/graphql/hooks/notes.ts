import type { NotesHooks } from "../../generated/models/notes/model.ts";

export const before_create: NotesHooks["before_create"] = (note) => {
  note.text ??= "";
};
