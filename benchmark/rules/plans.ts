import type pg from "pg";

/** A node of a plan, as `explain (format json)` writes it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Throws, with the plan, where PostgreSQL would read a whole table for a statement: by the plan for these values, and by the
 * one for any values, which it may choose for a prepared statement.
 */
export async function requireIndexes(
  client: pg.Client,
  statement: pg.QueryConfig,
  table: string,
): Promise<void> {
  const { text, values = [] } = statement;
  for (const [kind, asked] of [
    ["", values],
    ["generic_plan, ", null],
  ] as const) {
    const explained = await client.query(
      `explain (${kind}format json) ${text}`,
      asked === null ? undefined : [...asked],
    );
    const plan: PlanNode = explained.rows[0]["QUERY PLAN"][0].Plan;
    if (!readsAll(plan, table)) continue;
    throw new Error(`all of ${table} is read by\n${text}\n${JSON.stringify(plan, null, 1)}`);
  }
}

function readsAll(node: PlanNode, table: string): boolean {
  const whole = node["Node Type"] === "Seq Scan" && node["Relation Name"] === table;
  return whole || (node.Plans ?? []).some((below) => readsAll(below, table));
}
