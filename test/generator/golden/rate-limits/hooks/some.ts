import type { SomeHooks } from "../../generated/models/some/model.ts";

export const before_create: SomeHooks["before_create"] = (record) => record;
