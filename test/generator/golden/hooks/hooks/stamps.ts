import type { StampsHooks } from "../../generated/models/stamps/model.ts";

export const after_create: StampsHooks["after_create"] = (_stamp, { log }) => log.info("stamped");
