import { count, exists } from "./operations/count.ts";
import { create } from "./operations/create.ts";
import { fetch, search } from "./operations/list.ts";
import { destroy, remove } from "./operations/remove.ts";
import { restore } from "./operations/restore.ts";
import { update } from "./operations/update.ts";
import { upsert } from "./operations/upsert.ts";

/** The ten operations of a model, below HTTP. */
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

export * from "./entry.ts";
export { input } from "./input/index.ts";
export * from "./model-routes.ts";
export { guard, route } from "./route.ts";
export { modelRouter } from "./router.ts";
export { PlanCache } from "./statements/plan-cache.ts";
