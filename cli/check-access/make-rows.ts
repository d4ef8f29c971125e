import type { ModelDefinition, RuleDefinition } from "#generator/definition/definition";
import { coversRole, everyRole, guestRole, registeredRole } from "#vocabulary/accounts/role-names";
import { rowsKey } from "./access-check.ts";
import { foundRule } from "./access-findings.ts";
import { type AccessCell, type FoundRule, outcomes } from "./access-report.ts";
import type { CheckCaller } from "./check-callers.ts";
import {
  operationOf,
  type RuledOperation,
  ruledOperations,
  rulesOf,
  usesCaller,
  writesField,
} from "./model-access.ts";
import { makesRow } from "./questions/write-kinds.ts";
import type { StoredRow } from "./table-rows.ts";
import {
  makeRecords,
  makeWitnesses,
  type Witnesses,
  type WitnessRecords,
  type WitnessWorld,
} from "./witnesses/index.ts";

/** A row or a record that was made for a rule. A record is not stored. */
export interface MadeRow {
  readonly caller: string;
  readonly id: string;
  readonly record: StoredRow["values"] | null;
  /** Columns that the caller's row in `users` has to have, as PostgreSQL's text. */
  readonly callerColumns: ReadonlyMap<string, string | null>;
}

/** The rows of all rules, by model and operation. */
export interface MadeRows {
  readonly rows: Map<string, MadeRow[]>;
  /** Cells for atoms without a row. */
  readonly missing: AccessCell[];
  readonly dead: FoundRule[];
}

/** Makes rows for each rule of some models, and records for rules about new rows. */
export async function makeRows(
  world: WitnessWorld,
  models: readonly ModelDefinition[],
  callers: readonly CheckCaller[],
  isAsked: (operation: string) => boolean,
): Promise<MadeRows> {
  const made: MadeRows = { rows: new Map(), missing: [], dead: [] };
  for (const model of models) {
    const known = new Map<string, Witnesses>();
    // First the records of new rows: they can have a unique key that a row will have.
    const [making, others] = [true, false].map((makes) =>
      ruledOperations.filter((one) => makesRow(one) === makes),
    );
    for (const ruled of [...(making ?? []), ...(others ?? [])])
      if (isAsked(operationOf(ruled)))
        for (const rule of rulesOf(model, ruled)) {
          const caller = callerFor(rule, callers);
          if (caller !== null) await makeFor(world, model, ruled, rule, caller, { made, known });
        }
  }
  return made;
}

/** The caller for whom rows of a rule are made. A guest has no rows of its own. Null: its role was not chosen. */
function callerFor({ role, condition }: RuleDefinition, callers: readonly CheckCaller[]): CheckCaller | null {
  const fitting = callers.filter((caller) => coversRole(role, caller.role) && !caller.isStranger);
  const usual = role === everyRole && !usesCaller(condition) ? guestRole : registeredRole;
  return fitting.find((caller) => caller.role === usual) ?? fitting[0] ?? null;
}

interface Making {
  readonly made: MadeRows;
  /** Rows of a model by condition and caller: operations can have the same rules. */
  readonly known: Map<string, Witnesses>;
}

async function makeFor(
  world: WitnessWorld,
  model: ModelDefinition,
  ruled: RuledOperation,
  rule: RuleDefinition,
  caller: CheckCaller,
  { made, known }: Making,
): Promise<void> {
  const request = { model: model.key, condition: rule.condition, caller: caller.principal };
  const key = rowsKey(model, ruled);
  const rows = made.rows.get(key) ?? [];
  made.rows.set(key, rows);
  if (makesRow(ruled)) {
    const closed = new Set(
      model.fields.map(({ name }) => name).filter((name) => !writesField(model, name, caller.role)),
    );
    const { records, missing } = await makeRecords(world, { ...request, closed });
    for (const { data, callerColumns } of records)
      rows.push({ caller: caller.name, id: `record ${rows.length}`, record: data, callerColumns });
    return noteMissing(made, model, ruled, rule, caller, missing);
  }
  const deleted = ruled === "restore";
  const same = JSON.stringify([rule.condition, caller.name, deleted]);
  const found = known.get(same) ?? (await makeWitnesses(world, { ...request, deleted }));
  known.set(same, found);
  for (const { id, callerColumns } of found.rows)
    rows.push({ caller: caller.name, id, record: null, callerColumns });
  noteMissing(made, model, ruled, rule, caller, found.missing);
}

function noteMissing(
  { missing, dead }: MadeRows,
  model: ModelDefinition,
  ruled: RuledOperation,
  rule: RuleDefinition,
  caller: CheckCaller,
  found: WitnessRecords["missing"],
): void {
  const cell = {
    model: model.key,
    operation: operationOf(ruled),
    caller: caller.name,
    front: "rest" as const,
  };
  for (const { kind, atom, reason } of found) {
    missing.push({
      ...cell,
      rows: atom === null ? kind : `${kind}: ${atom}`,
      outcome: outcomes.notTried,
      reason: `no witness: ${reason}`,
    });
    if (kind === "in" && !reason.startsWith("conflicts with"))
      dead.push(foundRule(model, ruled, rule, reason));
  }
}
