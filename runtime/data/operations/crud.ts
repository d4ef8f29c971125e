import { count, exists } from "./count.ts";
import { create } from "./create.ts";
import { fetch, search } from "./list.ts";
import { destroy, remove } from "./remove.ts";
import { restore } from "./restore.ts";
import { update } from "./update.ts";
import { upsert } from "./upsert.ts";

/** The ten operations of a model. */
export const crud = {
  fetch,
  search,
  count,
  exists,
  create,
  update,
  upsert,
  delete: remove,
  destroy,
  restore,
};
