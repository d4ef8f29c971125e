// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineHooks } from "kirak/hooks";
import { crud, guard, input, modelRoutes, route } from "kirak/rest";
import * as hookFile from "../../../models/hooks/orders.ts";
import { model, type OrdersHooks } from "./model.ts";
import { limits, policy } from "./policy.ts";
import { validators } from "./validators.ts";

const hooks = defineHooks<OrdersHooks>()(hookFile);

export const routes = modelRoutes(
  { model, policy, limits, validators, hooks, mcp: ["fetch", "count", "create"] },
  [
    route.get("/fetch", guard(policy.fetch), input.list, crud.fetch),
    route.get("/search", guard(policy.search), input.search, crud.search),
    route.get("/count", guard(policy.count), input.filter, crud.count),
    route.get("/exists", guard(policy.exists), input.requiredFilter, crud.exists),
    route.post("/create", guard(policy.create), input.records, crud.create),
    route.put("/update", guard(policy.update), input.changes, crud.update),
    route.put("/upsert", guard(policy.upsert), input.record, crud.upsert),
    route.delete("/delete", guard(policy.delete), input.removal, crud.delete),
    route.delete("/destroy", guard(policy.destroy), input.removal, crud.destroy),
  ],
);
