import { columnsOf, type Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import { elementKindOf } from "#vocabulary/fields/list-kinds";
import type { AskedInput } from "./asked-input.ts";
import type { ExplainedApp, Subject } from "./subject.ts";

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
  const models = [...service.models, ...service.internalModels].map(({ model }) => model);
  const own = asked.find(({ subject }) => subject.model.table === table && node.Alias === "t");
  const by = own !== undefined && own.input.list.filters.length > 0 ? "the filter" : "the row condition";
  const fields = own === undefined ? joinedFields(models, table, node) : wantedFields(own.subject, own.input);
  const size = Math.round(rows).toLocaleString("en");
  return [`${by} reads all ${size} rows of ${table} one after another${indexHint(fields)}`];
}

/** Without ANALYZE it is an estimate. */
function sortWarning(node: PlanNode, workMem: number, asked: readonly AskedRequest[]): string[] {
  if (node["Node Type"] !== "Sort") return [];
  const space = node["Sort Space Type"];
  const spills = space === undefined ? node["Plan Rows"] * node["Plan Width"] > workMem : space === "Disk";
  if (!spills) return [];
  const [only, ...others] = asked;
  const fields = only === undefined || others.length > 0 ? [] : wantedFields(only.subject, only.input);
  return [`the sort by ${(node["Sort Key"] ?? []).join(", ")} uses the disk${indexHint(fields)}`];
}

/** Fields that are compared for equality, then those of a range, then the order. */
function unindexed({ subject, input: { list, rows } }: AskedRequest): string[] {
  const filters = [...new Set([...list.filters, ...(rows?.filters ?? [])])];
  const [equal, ranges] = [filterFields(filters, isEquality), filterFields(filters, isRange)];
  const first = new Set([...equal, ...ranges]);
  const isServed = [...first].some((name) => indexesOf(subject).some(([leading]) => leading === name));
  const others = filters.filter(({ operator }) => operator === "like" || operator === "ilike");
  const order = list.order_by;
  return [
    ...(first.size > 0 && !isServed
      ? [
          `the filter on ${[...first].join(", ")} has no index${indexHint(wantedFields(subject, { list, rows, data: null }))}`,
        ]
      : []),
    ...others.map(
      ({ field }) =>
        `the filter ${field} compares a pattern, which only a trigram index serves: docs/migrations.md`,
    ),
    ...(order === null || order === "id" || orderIsServed(subject, equal, order)
      ? []
      : [`the order by ${order} has no index${indexHint([...equal, order])}`]),
  ];
}

type Filters = AskedInput["list"]["filters"];
const isEquality = (operator: string) => ["eq", "in", "is_null", "contains", "overlaps"].includes(operator);
const isRange = (operator: string) => ["gt", "gte", "lt", "lte", "between"].includes(operator);

function filterFields(filters: Filters, isMeant: (operator: string) => boolean): string[] {
  return [...new Set(filters.filter(({ operator }) => isMeant(operator)).map(({ field }) => field))];
}

function indexesOf({ definition }: Subject): readonly (readonly string[])[] {
  return [["id"], ...[...definition.indexes, ...definition.uniqueKeys].map(({ fields }) => fields)];
}

/** An index whose fields before the order are compared for equality. */
function orderIsServed(subject: Subject, equal: readonly string[], order: string): boolean {
  return indexesOf(subject).some((fields) => {
    const at = fields.indexOf(order);
    return at >= 0 && fields.slice(0, at).every((name) => equal.includes(name));
  });
}

/** The fields of an index for a request: those of the filter and the order, else those of the row condition. */
function wantedFields(subject: Subject, { list }: AskedInput): string[] {
  const { filters, order_by: order } = list;
  const equal = filterFields(filters, isEquality);
  const one = order !== null && order !== "id" ? [order] : filterFields(filters, isRange).slice(0, 1);
  const asked = [...new Set([...equal, ...one])];
  const lists = asked.filter((name) => isList(subject.model, name));
  if (lists.length > 0) return lists.slice(0, 1);
  return asked.length > 0 ? asked : conditionFields(subject);
}

function isList(model: Model, name: string): boolean {
  const column = columnsOf(model).get(name);
  return column !== undefined && elementKindOf(column.kind) !== null;
}

/** The own fields that the rules of the operation compare for equality. */
function conditionFields({ definition: { access }, operation }: Subject): string[] {
  const rules = operation === "upsert" ? access.upsert.update : access.operations[operation];
  return [...new Set(rules.flatMap(({ condition }) => (condition === null ? [] : equalFields(condition))))];
}

function equalFields(condition: Condition): string[] {
  if (condition.op === "and") return condition.conditions.flatMap(equalFields);
  const isEqual = condition.op === "eq" || condition.op === "in";
  return isEqual && typeof condition.field === "string" && !condition.field.includes(".")
    ? [condition.field]
    : [];
}

/** The fields of another table that the plan compares. */
function joinedFields(models: readonly Model[], table: string, { Filter: filter = "" }: PlanNode): string[] {
  const model = models.find((one) => one.table === table);
  const names = [...filter.matchAll(/\b(\w+)\)?(?:::\w+)? = /g)].flatMap(([, name]) => name ?? []);
  return model === undefined ? [] : [...new Set(names)].filter((name) => columnsOf(model).has(name));
}

function indexHint(fields: readonly string[]): string {
  return fields.length === 0 ? "" : `; an index would serve: "indexes": ${JSON.stringify([fields])}`;
}
