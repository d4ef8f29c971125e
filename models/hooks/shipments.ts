import type { ShipmentsHooks } from "../../generated/models/shipments/model.ts";
import { follow } from "../shop/shipping.ts";

export const after_create: ShipmentsHooks["after_create"] = async (_, context) =>
  follow(await context.after(), context);

export const after_update: ShipmentsHooks["after_update"] = async (_, context) =>
  follow(await context.after(), context);
