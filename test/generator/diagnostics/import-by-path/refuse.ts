import type { ListInput } from "../runtime/operations/index.ts";

export const refuse: ListInput | boolean = true;
