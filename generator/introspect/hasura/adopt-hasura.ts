import type { CatalogSchema } from "../../../vocabulary/migrations/catalog.ts";
import { compileCondition } from "../../conditions/index.ts";
import { createReporter } from "../../diagnostics/index.ts";
import { rawBuiltInUsers } from "../../load/built-in-users.ts";
import { parseJsonTree } from "../../load/json-tree.ts";
import { readRawModels } from "../../load/read-models.ts";
import { buildGraph, type ModelGraph, type ModelNode } from "../../resolve/model-graph.ts";
import { conditionScope } from "../../resolve/scope-of-model.ts";
import { adoptAsFound, type FoundModels } from "../as-found/adopt-as-found.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { FoundTable } from "../as-found/found-table.ts";
import type { FoundOptions } from "../as-found/tables-as-found.ts";
import type { ConditionTable } from "./bool-exp.ts";
import type { HasuraMetadata, TableName } from "./hasura-metadata.ts";
import { nodeAt, nodeNumber, remarkAt } from "./metadata-node.ts";
import type { ModelPart } from "./permission-rules.ts";
import { type ModelLink, withRelationships } from "./relationships.ts";
import { type DraftedTable, draftRules, ruledModel } from "./table-access.ts";

/** Describes the tracked tables of a database as they are, with the relationships and permissions of Hasura. */
export function adoptHasura(
  schemas: readonly CatalogSchema[],
  options: FoundOptions,
  { metadata, guest }: { readonly metadata: HasuraMetadata; readonly guest: string | null },
): FoundModels {
  // The first of two entries for a table counts.
  const tables = new Map(metadata.tables.toReversed().map((table) => [placeOf(table), table]));
  const chosen = schemas.map((schema) => {
    const isTracked = ({ name }: { readonly name: string }) =>
      tables.has(placeOf({ schema: schema.name, name }));
    return { ...schema, tables: schema.tables.filter(isTracked) };
  });
  const found = adoptAsFound(chosen, { ...options, views: true });
  const tracked = found.tables.flatMap((table) => {
    const hasura = tables.get(placeOf({ schema: table.schema, name: table.source.name }));
    return hasura === undefined ? [] : [{ table, hasura }];
  });
  const { models, links } = withRelationships(tracked, found.models);
  const graph = graphOf(models);
  const scopes = scopesOf(found.tables, links, graph);
  const roles = { guest, open: options.open };
  const draft = () =>
    tracked.flatMap(({ table, hasura }) => {
      const [node, scope] = [graph.get(table.key), scopes.get(table.key)];
      if (node === undefined || scope === undefined) return [];
      const problem = (text: string) =>
        compileCondition(text, conditionScope(graph, node)).problems[0]?.message ?? null;
      const ruled = { table, model: models[table.key] ?? {}, scope, problem };
      return [draftRules(hasura, ruled, roles)];
    });
  // The first pass marks the ids that conditions compare with the caller.
  draft();
  const drafted = draft();
  const conditions = new Map<string, ModelPart>();
  const ruled = drafted.map((one) => [one.ruled.table.key, ruledModel(one, roles, conditions)] as const);
  const all = { ...named(conditions), ...Object.fromEntries(ruled) };
  const absent = metadata.tables.filter((table) => !tracked.some(({ hasura }) => hasura === table));
  const remarks = [
    ...summary(drafted, metadata, guest).map((text) => remarkAt("hasura", metadata.node, text)),
    ...absent.map(({ node, name }) => remarkAt("hasura", node, `table ${name}: ${ofAbsent}`)),
    ...links.flatMap((link) => linkRemark(link, graph)),
    ...drafted.flatMap((one) => one.remarks),
    ...metadata.remarks,
  ];
  return {
    models: all,
    tables: found.tables,
    remarks: [...found.remarks, ...remarks.toSorted(byPlace)],
    // A new account has the role `user`, and could have the id of a user of the app.
    settings: { auth: { registration: false } },
  };
}

function named(conditions: ReadonlyMap<string, ModelPart>): ModelPart {
  return conditions.size === 0 ? {} : { $conditions: Object.fromEntries(conditions) };
}

/** The tables in conditions, by the keys of their models. */
function scopesOf(
  tables: readonly FoundTable[],
  links: readonly ModelLink[],
  graph: ModelGraph,
): ReadonlyMap<string, ConditionTable> {
  const scopes = new Map<string, ConditionTable>();
  for (const { key, columns } of tables) {
    const node = graph.get(key);
    scopes.set(key, {
      isCaller: false,
      column: (name) => {
        const column = columns.find(({ source }) => source.name === name);
        const own = column?.place === "id" ? "id" : column?.name;
        return own === undefined ? null : { name: own, kind: node?.kinds.get(own) ?? "" };
      },
      relation: (name) => {
        const to = links.find((link) => link.from.key === key && link.name === name)?.to;
        if (to === undefined || typeof to === "string") return to;
        const target = scopes.get(to.target.key);
        return target === undefined ? undefined : { name: joinOf(to.field, node), target };
      },
    });
  }
  return scopes;
}

const ofAbsent = "the database has no such table, or it is here twice";

const ofAccounts =
  "auth.registration is false, unless the manifest has a value: new accounts have the role user and ids of Kirak (docs/hasura.md#accounts)";

/** Remarks on the whole project. */
function summary(
  drafted: readonly DraftedTable[],
  { tables }: HasuraMetadata,
  guest: string | null,
): string[] {
  const permissions = tables.flatMap((table) => table.permissions);
  const isGuestOpen = guest === null && permissions.some(({ role }) => role === "anonymous");
  const drafts = drafted.flatMap((one) => one.drafts);
  const isCounted = drafts.some(
    ({ operation, permission: { node } }) =>
      operation === "fetch" && nodeAt(node, "allow_aggregations")?.value !== true,
  );
  const [isLimited, isUpdated] = [
    permissions.some(({ operation, node }) => operation === "select" && nodeNumber(node, "limit") !== null),
    drafts.some(({ operation, parts }) => operation === "update" && parts.length > 0),
  ];
  return [
    ofAccounts,
    ...(isLimited ? ["the smallest limit of a table is the limit of its model, for all roles"] : []),
    ...(isUpdated ? ["filter and check of an update have to hold before and after the change"] : []),
    ...(isGuestOpen
      ? ["role anonymous: if HASURA_GRAPHQL_UNAUTHORIZED_ROLE is anonymous, use --guest anonymous"]
      : []),
    ...(isCounted ? ["roles without allow_aggregations get count and exists in Kirak"] : []),
  ];
}

function placeOf({ schema, name }: TableName): string {
  return JSON.stringify([schema, name]);
}

function byPlace(one: FoundRemark, other: FoundRemark): number {
  return one.place.localeCompare(other.place, "en", { numeric: true });
}

function graphOf(models: FoundModels["models"]): ModelGraph {
  const tree = parseJsonTree("models.json", JSON.stringify(models), createReporter().report);
  return buildGraph([...(tree === null ? [] : readRawModels(tree)), rawBuiltInUsers()]);
}

/** The name of a join: `author` for the field `author_id`. */
function joinOf(field: string, node: ModelNode | undefined): string {
  const joins = [...(node?.relations.values() ?? [])];
  return joins.find((one) => one.kind === "belongs_to" && one.field === field)?.name ?? field;
}

function linkRemark({ from, name, node, to }: ModelLink, graph: ModelGraph): FoundRemark[] {
  const what = `relationship ${name} of ${from.source.name}`;
  if (typeof to === "string") return [remarkAt("hasura", node, `${what}: ${to}`)];
  const join = joinOf(to.field, graph.get(from.key));
  return join === name ? [] : [remarkAt("hasura", node, `${what}: its name is ${join}`)];
}
