import type { ScopeModel } from "#generator/conditions/index";
import { mergeUsers, rawBuiltInUsers, usersKey } from "#generator/load/built-in-users";
import { parseJsonTree } from "#generator/load/json-tree";
import { readRawModels } from "#generator/load/read-models";
import { buildGraph } from "#generator/resolve/model-graph";
import { conditionScope } from "#generator/resolve/scope-of-model";

/** What the row conditions of one of some models may name. */
export function scopeOf(models: object, key: string): ScopeModel {
  const fail = (...problem: unknown[]) => {
    throw new Error(JSON.stringify(problem));
  };
  const tree = parseJsonTree("models.json", JSON.stringify(models), fail);
  const read = tree === null ? [] : readRawModels(tree);
  const entry = read.find((model) => model.key === usersKey);
  const users = entry === undefined ? rawBuiltInUsers() : mergeUsers(rawBuiltInUsers(), entry, fail);
  const graph = buildGraph([...read.filter((model) => model !== entry), users]);
  const node = graph.get(key);
  if (node === undefined) throw new Error(`there is no model ${key}`);
  return conditionScope(graph, node);
}
