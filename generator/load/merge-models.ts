import type { Report } from "../diagnostics/index.ts";
import type { JsonNode } from "./json-tree.ts";
import type { RawModel } from "./raw.ts";
import { readModels } from "./read-models.ts";

/** The models of all files. Of a key that stands twice the first counts; the built-in `users` cannot be extended yet. */
export function mergeModels(trees: readonly (JsonNode | null)[], report: Report): RawModel[] {
  const models = new Map<string, RawModel>();
  for (const tree of trees) {
    for (const model of tree === null ? [] : readModels(tree)) {
      const first = models.get(model.key);
      if (first === undefined) models.set(model.key, model);
      else report("duplicate-model", model.at, `model "${model.key}" stands in ${first.at.file} as well`);
    }
  }
  const accounts = models.get("users");
  if (accounts !== undefined) {
    const message = '"users" extends the built-in accounts, which this version does not have yet';
    report(
      "accounts-unsupported",
      accounts.at,
      message,
      "remove the entry; keep further facts about people in a model of your own",
    );
    models.delete("users");
  }
  return [...models.values()];
}
