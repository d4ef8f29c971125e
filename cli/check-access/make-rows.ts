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
import { makeWitnesses, type Witness, type Witnesses, type WitnessWorld } from "./witnesses/index.ts";

/** The rows and records that were made for rules, by model and operation. A record is not stored. */
export interface MadeRows {
  readonly rows: Map<string, Witness[]>;
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
    // Operations can have the same rules.
    const known = new Map<string, Witnesses>();
    // First the records of new rows: they can have a unique key that a row will have.
    const ordered = [...ruledOperations].sort(
      (one, other) => Number(makesRow(other)) - Number(makesRow(one)),
    );
    for (const ruled of ordered.filter((one) => isAsked(operationOf(one))))
      for (const rule of rulesOf(model, ruled)) {
        const caller = callerFor(rule, callers);
        if (caller !== null) await makeFor(world, made, known, { model, ruled, rule, caller });
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

interface MadeFor {
  readonly model: ModelDefinition;
  readonly ruled: RuledOperation;
  readonly rule: RuleDefinition;
  readonly caller: CheckCaller;
}

async function makeFor(
  world: WitnessWorld,
  { rows, missing, dead }: MadeRows,
  known: Map<string, Witnesses>,
  { model, ruled, rule, caller }: MadeFor,
): Promise<void> {
  const names = model.fields.map(({ name }) => name);
  const closed = new Set(names.filter((name) => !writesField(model, name, caller.role)));
  const state = makesRow(ruled) ? { closed } : ruled === "restore" ? "deleted" : "live";
  const { condition } = rule;
  const same = JSON.stringify([condition, caller.name, makesRow(ruled), state]);
  const request = { model: model.key, condition, caller: caller.principal, state } as const;
  const found = known.get(same) ?? (await makeWitnesses(world, request));
  known.set(same, found);
  const key = rowsKey(model, ruled);
  rows.set(key, [...(rows.get(key) ?? []), ...found.rows]);
  const cell = {
    model: model.key,
    operation: operationOf(ruled),
    caller: caller.name,
    front: "rest" as const,
  };
  for (const { kind, atom, reason } of found.missing) {
    const set = atom === null ? kind : `${kind}: ${atom}`;
    missing.push({ ...cell, rows: set, outcome: outcomes.notTried, reason: `no witness: ${reason}` });
    if (kind === "in" && !/^conflicts with|needs? an/.test(reason))
      dead.push(foundRule(model, ruled, rule, reason));
  }
}
