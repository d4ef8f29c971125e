import type { CatalogSchema } from "../../../vocabulary/migrations/catalog.ts";
import { compileCondition, conditionWords } from "../../conditions/index.ts";
import { createReporter } from "../../diagnostics/index.ts";
import { rawBuiltInUsers } from "../../load/built-in-users.ts";
import { parseJsonTree } from "../../load/json-tree.ts";
import { readRawModels } from "../../load/read-models.ts";
import { buildGraph, type ModelGraph } from "../../resolve/model-graph.ts";
import { conditionScope } from "../../resolve/scope-of-model.ts";
import { adoptAsFound, type FoundModels } from "../as-found/adopt-as-found.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { FoundTable } from "../as-found/found-table.ts";
import type { FoundOptions } from "../as-found/tables-as-found.ts";
import type { ConditionTable } from "./bool-exp.ts";
import { customNames, nameRemarks } from "./custom-names.ts";
import type { HasuraMetadata, HasuraTable, TableName } from "./hasura-metadata.ts";
import { remarkAt } from "./metadata-node.ts";
import type { RuledTable } from "./permission-rules.ts";
import { type ModelPart, modelPart, tablePresets } from "./presets-of-table.ts";
import { type ModelLink, withRelationships } from "./relationships.ts";
import { draftRules, ruledModel } from "./table-access.ts";

/** Describes the tracked tables of a database as they are, with the names, relationships and permissions of Hasura. */
export function adoptHasura(
  schemas: readonly CatalogSchema[],
  options: FoundOptions,
  { metadata, guest }: { readonly metadata: HasuraMetadata; readonly guest: string | null },
): FoundModels {
  const tracked = new Map(metadata.tables.toReversed().map((table) => [placeOf(table), table]));
  const chosen = schemas.map((schema) => ({
    ...schema,
    tables: schema.tables.filter(({ name }) => tracked.has(placeOf({ schema: schema.name, name }))),
  }));
  const known = customNames(chosen, tracked, options.home);
  const found = adoptAsFound(chosen, { ...options, views: true, known });
  const pairs = found.tables.flatMap((table) => {
    const hasura = tracked.get(placeOf({ schema: table.schema, name: table.source.name }));
    return hasura === undefined ? [] : [{ table, hasura }];
  });
  const linked = withRelationships(pairs, found.models);
  const graph = graphOf(linked.models);
  const tables = scopes(graph, found.tables, linked.links);
  const callerIds = new Set<string>();
  const ruled = pairs.map(({ table, hasura }) => ({ hasura, ruled: ruledTable(table, hasura) }));
  const roles = { guest, open: options.open };
  const drafted = () => ruled.map((one) => draftRules(one.hasura, one.ruled, roles));
  // The first pass finds the ids that conditions compare with the caller.
  drafted();
  const conditions: Record<string, ModelPart[string]> = {};
  const models: Record<string, ModelPart[string]> = { ...linked.models };
  const remarks: FoundRemark[] = [];
  for (const one of drafted()) {
    const isFree = (name: string) => !conditionWords.has(name) && !Object.hasOwn(conditions, name);
    const made = ruledModel(one, roles, isFree);
    models[one.ruled.table.key] = made.model;
    Object.assign(conditions, made.conditions);
    remarks.push(...one.remarks);
  }
  const absent = metadata.tables.filter((table) => !pairs.some(({ hasura }) => hasura === table));
  const namesCaller = JSON.stringify([conditions, models]).includes("{user_id}");
  const lost = [
    ...(namesCaller ? [remarkAt("hasura", metadata.node, ofAccounts)] : []),
    ...absent.map(({ node, name }) =>
      remarkAt("hasura", node, `table ${name}: the database has no such table, or it is here twice`),
    ),
    ...nameRemarks(pairs),
    ...linked.remarks,
    ...linked.links.flatMap((link) => renamed(link, graph)),
    ...remarks,
    ...metadata.remarks,
  ];
  return {
    models: { ...(Object.keys(conditions).length === 0 ? {} : { $conditions: conditions }), ...models },
    tables: found.tables,
    remarks: [...found.remarks, ...lost.toSorted(byPlace)],
    // A new account could get the id of a user of the app.
    settings: namesCaller ? { auth: { registration: false } } : {},
  };

  function ruledTable(table: FoundTable, hasura: HasuraTable): RuledTable {
    const model = modelPart(linked.models[table.key]);
    const node = graph.get(table.key);
    const scope = tables.get(table.key);
    if (node === undefined || scope === undefined) throw new Error(`${table.key} is not in the graph`);
    const presets = tablePresets(hasura, table, modelPart(model["fields"]));
    const problem = (text: string) =>
      compileCondition(text, conditionScope(graph, node)).problems[0]?.message ?? null;
    return {
      table,
      model: { ...(hasura.comment === null ? {} : { description: hasura.comment }), ...model },
      scope,
      presets,
      problem,
      callerIds,
    };
  }
}

const ofAccounts =
  "X-Hasura-User-Id: the id of an account of Kirak. Give accounts the ids of your users before you open registration: docs/hasura.md#accounts";

function byPlace(one: FoundRemark, other: FoundRemark): number {
  return one.place.localeCompare(other.place, "en", { numeric: true });
}

function placeOf({ schema, name }: TableName): string {
  return JSON.stringify([schema, name]);
}

function graphOf(models: FoundModels["models"]): ModelGraph {
  const tree = parseJsonTree("models.json", JSON.stringify(models), createReporter().report);
  return buildGraph([...(tree === null ? [] : readRawModels(tree)), rawBuiltInUsers()]);
}

/** The tables in conditions, by the keys of their models. */
function scopes(
  graph: ModelGraph,
  tables: readonly FoundTable[],
  links: readonly ModelLink[],
): ReadonlyMap<string, ConditionTable> {
  const scopes = new Map<string, ConditionTable>();
  for (const { key, columns } of tables)
    scopes.set(key, {
      key,
      column: (name) => {
        const column = columns.find(({ source }) => source.name === name);
        if (column === undefined) return null;
        const own = column.place === "id" ? "id" : column.name;
        return { name: own, kind: graph.get(key)?.kinds.get(own) ?? "" };
      },
      relation: (name) => {
        const link = links.find((one) => one.from.key === key && one.relationship.name === name);
        if (link === undefined || "lost" in link) return link?.lost;
        const target = scopes.get(link.target.key);
        return target === undefined ? undefined : { name: joinOf(link, graph), column: link.column, target };
      },
    });
  return scopes;
}

type SoundLink = Exclude<ModelLink, { readonly lost: string }>;

/** The name of a join: `author` for the field `author_id`. */
function joinOf({ from, field }: SoundLink, graph: ModelGraph): string {
  const relations = graph.get(from.key)?.relations.values() ?? [];
  return (
    [...relations].find((one) => one.name === field || (one.kind === "belongs_to" && one.field === field))
      ?.name ?? field
  );
}

function renamed(link: ModelLink, graph: ModelGraph): FoundRemark[] {
  if ("lost" in link) return [];
  const {
    relationship: { name, node },
    from,
  } = link;
  const join = joinOf(link, graph);
  return join === name
    ? []
    : [remarkAt("hasura", node, `relationship ${name} of ${from.source.name}: its name is ${join}`)];
}
