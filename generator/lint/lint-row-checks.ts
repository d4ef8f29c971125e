import { columnsOfCondition } from "../../vocabulary/check-tree.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import { coversRole, everyRole, signedIn } from "../../vocabulary/role-names.ts";
import type { CheckDefinition, ModelDefinition } from "../definition/definition.ts";
import type { LintContext, LintedModel } from "./lint-context.ts";

/** Checks that tell whoever writes one of their fields of another one that he may not read. */
export function lintRowChecks({ models, report }: LintContext): void {
  for (const model of models) {
    for (const [index, check] of model.definition.checks.entries()) {
      const at = model.node.raw.checks[index]?.name.at;
      const found = revealed(model, check);
      if (at === undefined || found === null) continue;
      const { who, written, hidden } = found;
      const message = `${calledRole(who)} may write "${written}" and not read "${hidden}": whether the check "${check.name}" lets a value pass tells of it`;
      report(
        "check-reveals-field",
        at,
        message,
        `close "${written}" to them for writing, or open "${hidden}" for reading`,
      );
    }
  }
}

interface Revealed {
  readonly who: string;
  readonly written: string;
  readonly hidden: string;
}

function revealed(model: LintedModel, check: CheckDefinition): Revealed | null {
  const { definition } = model;
  const columns = columnsOfCondition(check.condition);
  for (const written of columns) {
    for (const who of writersOf(model, written)) {
      const hidden = columns.find((name) => name !== written && !admits(definition, "read", name, who));
      if (hidden !== undefined) return { who, written, hidden };
    }
  }
  return null;
}

const writes: readonly Operation[] = ["create", "update", "upsert", "restore"];

/** Who may write a field: the roles of rules as far as the gate of the field lets them, the widest first. */
function writersOf({ definition, rules }: LintedModel, field: string): string[] {
  const roles = rules.filter(({ operation }) => writes.includes(operation)).map(({ role }) => role.value);
  const gate = gateOf(definition, "write", field) ?? [everyRole];
  return roles.flatMap((role) =>
    gate.flatMap((other) => (coversRole(other, role) ? [role] : coversRole(role, other) ? [other] : [])),
  );
}

function admits(model: ModelDefinition, way: "read" | "write", field: string, role: string): boolean {
  return gateOf(model, way, field)?.some((other) => coversRole(other, role)) ?? true;
}

/** A password has none for reading: of it a check knows no more than whether there is one. */
function gateOf({ access }: ModelDefinition, way: "read" | "write", field: string): readonly string[] | null {
  return access.fields.find((entry) => entry.field === field)?.[way] ?? null;
}

/** A role, or those that a name stands for, in a sentence. */
export function calledRole(role: string): string {
  if (role === everyRole) return "everybody";
  return role === signedIn ? "everybody who is signed in" : `the role "${role}"`;
}
