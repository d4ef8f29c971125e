import type { Report } from "../diagnostics/index.ts";
import { builtInUsers, usersKey } from "./built-in-users.ts";
import { extendUsers } from "./extend-users.ts";
import type { JsonNode } from "./json-tree.ts";
import type { RawModel } from "./raw.ts";
import { readModels } from "./read-models.ts";

/**
 * The models of all files, and after them the built-in accounts, which an entry `users` extends. Of a key that stands twice
 * the first counts.
 */
export function mergeModels(trees: readonly (JsonNode | null)[], report: Report): RawModel[] {
  const declared = new Map<string, RawModel>();
  for (const tree of trees) {
    for (const model of tree === null ? [] : readModels(tree)) {
      const first = declared.get(model.key);
      if (first === undefined) declared.set(model.key, model);
      else report("duplicate-model", model.at, `model "${model.key}" stands in ${first.at.file} as well`);
    }
  }
  const entry = declared.get(usersKey);
  declared.delete(usersKey);
  const users = builtInUsers();
  return [...declared.values(), entry === undefined ? users : extendUsers(users, entry, report)];
}
