import type { Report } from "../diagnostics/index.ts";
import { builtInModels, usersKey } from "./built-in/index.ts";
import { extendUsers } from "./extend-users.ts";
import type { JsonNode } from "./json-tree.ts";
import type { RawModel } from "./raw.ts";
import { readModels } from "./read-models.ts";

/**
 * The models of all files, and after them the built-in ones. Of a key that stands twice the first counts; an entry `users`
 * extends the built-in accounts.
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
  // A model that takes the key of another built-in one is an error, reported with the names.
  const builtIn = builtInModels().filter(({ key }) => !declared.has(key));
  return [
    ...declared.values(),
    ...builtIn.map((model) =>
      model.key === usersKey && entry !== undefined ? extendUsers(model, entry, report) : model,
    ),
  ];
}
