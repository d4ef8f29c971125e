import type { DraftsHooks } from "../../generated/models/drafts/model.ts";

export const fills = { before_create: ["slug"], before_upsert: ["slug", "title"] } as const;

export const before_create: DraftsHooks["before_create"] = (draft) => {
  draft.slug ??= draft.title.toLowerCase();
};

export const before_upsert: DraftsHooks["before_upsert"] = (draft) => {
  draft.title ??= `by ${draft.author}`;
  draft.slug ??= draft.title.toLowerCase();
};
