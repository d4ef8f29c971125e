// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineHooks } from "kirak/hooks";
import { crud, guard, input, modelRoutes, route } from "kirak/rest";
import * as hookFile from "../../../models/hooks/books.ts";
import { type BooksHooks, model } from "./model.ts";
import { policy } from "./policy.ts";
import { validators } from "./validators.ts";

const hooks = defineHooks<BooksHooks>()(hookFile);

export const routes = modelRoutes({ model, policy, validators, hooks, mcp: ["fetch", "search", "count"] }, [
  route.get("/fetch", guard(policy.fetch), input.list, crud.fetch),
  route.get("/search", guard(policy.search), input.search, crud.search),
  route.get("/count", guard(policy.count), input.filter, crud.count),
  route.get("/exists", guard(policy.exists), input.requiredFilter, crud.exists),
  route.post("/create", guard(policy.create), input.records, crud.create),
  route.put("/update", guard(policy.update), input.changes, crud.update),
  route.put("/upsert", guard(policy.upsert), input.record, crud.upsert),
  route.delete("/delete", guard(policy.delete), input.removal, crud.delete),
  route.delete("/destroy", guard(policy.destroy), input.removal, crud.destroy),
  route.patch("/restore", guard(policy.restore), input.restoration, crud.restore),
]);
