import type { MemosHooks } from "../../generated/models/memos/model.ts";

export const before_create: MemosHooks["before_create"] = (memo) => {
  memo.slug = (memo.title ?? "untitled").toLowerCase();
};
