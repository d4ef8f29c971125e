import { columnsOf, type Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import { elementKindOf } from "#vocabulary/fields/list-kinds";
import type { AskedInput } from "./asked-input.ts";
import { type ExplainedApp, runtimeModelsOf, type Subject } from "./subject.ts";

/** A node of a plan in PostgreSQL's JSON. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Alias?: string;
  readonly "Plan Rows": number;
  readonly "Plan Width": number;
  /** Only with ANALYZE. */
  readonly "Sort Space Type"?: string;
  readonly "Sort Key"?: readonly string[];
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

const largeTable = 10_000;

/** A request that a plan can belong to. */
export interface AskedRequest {
  readonly subject: Subject;
  readonly input: AskedInput;
}

/** Warnings about a plan, each with the index that would serve. The filter and the row condition are told apart. */
export async function indexAdvice(
  app: ExplainedApp,
  root: PlanNode,
  requests: readonly AskedRequest[],
): Promise<string[]> {
  const nodes = allNodes(root);
  const tables = [...new Set(nodes.flatMap((node) => node["Relation Name"] ?? []))];
  const text = `select pg_size_bytes(current_setting('work_mem')), (select jsonb_object_agg(relname, reltuples)
    from pg_class where oid in (select unnest($1::text[])::regclass))`;
  const [facts] = await app.connection.run({ name: null, text }, [tables.map((name) => `"${name}"`)]);
  const sizes: Readonly<Record<string, number>> = JSON.parse(facts?.[1] ?? "{}") ?? {};
  const asked = requests.filter(({ subject }) => tables.includes(subject.model.table));
  const scans = nodes.flatMap((node) =>
    scanWarning(app, node, sizes[node["Relation Name"] ?? ""] ?? 0, asked),
  );
  const sorts = nodes.flatMap((node) => sortWarning(node, Number(facts?.[0]), asked));
  return [...new Set([...scans, ...sorts, ...asked.flatMap(unindexed)])];
}

function allNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

function scanWarning(
  { service }: ExplainedApp,
  node: PlanNode,
  rows: number,
  asked: readonly AskedRequest[],
): string[] {
  const table = node["Relation Name"];
  if (node["Node Type"] !== "Seq Scan" || table === undefined || rows <= largeTable) return [];
  // The aliases of REST and of the root fields of GraphQL.
  const isOwn = node.Alias === "t" || node.Alias === "t0";
  const own = isOwn ? asked.find(({ subject }) => subject.model.table === table) : undefined;
  const by = own !== undefined && own.input.list.filters.length > 0 ? "the filter" : "the row condition";
  const fields =
    own === undefined
      ? comparedFields([...runtimeModelsOf(service).values()], table, node)
      : wantedFields(own);
  const size = Math.round(rows).toLocaleString("en");
  return [`${by} reads all ${size} rows of ${table} one after another${indexHint(fields)}`];
}

/** The fields of another table that the plan compares. */
function comparedFields(
  models: readonly Model[],
  table: string,
  { Filter: filter = "" }: PlanNode,
): string[] {
  const model = models.find((one) => one.table === table);
  const names = [...filter.matchAll(/\b(\w+)\)?(?:::\w+)? = /g)].flatMap(([, name]) => name ?? []);
  return model === undefined ? [] : [...new Set(names)].filter((name) => columnsOf(model).has(name));
}

/** Without ANALYZE it is an estimate. */
function sortWarning(node: PlanNode, workMem: number, asked: readonly AskedRequest[]): string[] {
  if (node["Node Type"] !== "Sort") return [];
  const space = node["Sort Space Type"];
  const spills = space === undefined ? node["Plan Rows"] * node["Plan Width"] > workMem : space === "Disk";
  if (!spills) return [];
  const [only, ...others] = asked;
  const fields = only === undefined || others.length > 0 ? [] : wantedFields(only);
  return [`the sort by ${(node["Sort Key"] ?? []).join(", ")} uses the disk${indexHint(fields)}`];
}

/** Filters and an order that no index of the model serves. */
function unindexed(request: AskedRequest): string[] {
  const { definition } = request.subject;
  const { equal, ranges, patterns, order } = soughtFields(request);
  const indexes = [["id"], ...[...definition.indexes, ...definition.uniqueKeys].map(({ fields }) => fields)];
  const first = [...new Set([...equal, ...ranges])];
  const isFound = first.some((name) => indexes.some(([leading]) => leading === name));
  // The fields of the index before the order are compared for equality.
  const isOrdered = indexes.some((fields) => {
    const at = order === null ? -1 : fields.indexOf(order);
    return at >= 0 && fields.slice(0, at).every((name) => equal.includes(name));
  });
  const hint = indexHint(wantedFields(request));
  return [
    ...(first.length > 0 && !isFound ? [`the filter on ${first.join(", ")} has no index${hint}`] : []),
    ...patterns.map(
      (name) =>
        `the filter ${name} compares a pattern, which only a trigram index serves: docs/migrations.md`,
    ),
    ...(order === null || isOrdered ? [] : [`the order by ${order} has no index${hint}`]),
  ];
}

const operators = {
  equal: ["eq", "in", "is_null", "contains", "overlaps"],
  ranges: ["gt", "gte", "lt", "lte", "between"],
  patterns: ["like", "ilike"],
} as const;

/** The fields that a request compares, and its order; null by id. */
function soughtFields({ input: { list, rows } }: AskedRequest) {
  const filters = [...list.filters, ...(rows?.filters ?? [])];
  const by = (names: readonly string[]) => [
    ...new Set(filters.filter(({ operator }) => names.includes(operator)).map(({ field }) => field)),
  ];
  const order = list.order_by === "id" ? null : list.order_by;
  return {
    equal: by(operators.equal),
    ranges: by(operators.ranges),
    patterns: by(operators.patterns),
    order,
  };
}

/** The fields of an index for a request: those of the filter and the order, else those of the row condition. */
function wantedFields(request: AskedRequest): string[] {
  const { model, definition, operation } = request.subject;
  const { equal, ranges, order } = soughtFields(request);
  const asked = [...new Set([...equal, ...(order === null ? ranges.slice(0, 1) : [order])])];
  const columns = columnsOf(model);
  const isList = (name: string) => elementKindOf(columns.get(name)?.kind ?? "text") !== null;
  const lists = asked.filter(isList);
  if (lists.length > 0) return lists.slice(0, 1);
  if (asked.length > 0) return asked;
  const { operations, upsert } = definition.access;
  const rules = operation === "upsert" ? upsert.update : operations[operation];
  return [...new Set(rules.flatMap(({ condition }) => (condition === null ? [] : equalFields(condition))))];
}

/** The fields of the row itself that a condition compares for equality. */
function equalFields(condition: Condition): string[] {
  if (condition.op === "and") return condition.conditions.flatMap(equalFields);
  if (condition.op !== "eq" && condition.op !== "in") return [];
  return typeof condition.field === "string" && !condition.field.includes(".") ? [condition.field] : [];
}

function indexHint(fields: readonly string[]): string {
  return fields.length === 0 ? "" : `; an index would serve: "indexes": ${JSON.stringify([fields])}`;
}
