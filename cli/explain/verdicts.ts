import { ServiceError } from "#runtime/core/errors/index";
import { guard } from "#runtime/data/operations/index";
import { searchFields } from "#runtime/data/sql/index";
import { grantFor, type RoleView, requireFields } from "#runtime/models/access/index";
import { presetsOf } from "#runtime/models/index";
import { recordProblems } from "#runtime/models/validation/index";
import type { AskedInput } from "./asked-input.ts";
import type { AskingCaller } from "./asking-caller.ts";
import { admittedRoles } from "./caller-rules.ts";
import type { Verdict } from "./explanation.ts";
import type { Subject } from "./subject.ts";

export const allowed: Verdict = { outcome: "allowed", text: "allowed" };

/** A refusal, such as `403 PERMISSION_DENIED, no rule holds`. */
export function denied(reason: string): Verdict {
  return { outcome: "refused", text: `refused: ${reason}` };
}

export function missing(reason: string): Verdict {
  return { outcome: "not found", text: `not found: ${reason}` };
}

/** The refusal of a request before the service looks at rows, by the service's own checks in their order; null if it passes. */
export function earlyRefusal(
  subject: Subject,
  { name, principal, note }: AskingCaller,
  view: RoleView,
  input: AskedInput,
): Verdict | null {
  const { entry, model, operation, definition } = subject;
  if (note !== null) return denied(note);
  if (definition.builtIn) return missing("accounts have routes of their own: docs/auth.md");
  if (operation === "restore" && !model.softDelete)
    return missing(`${model.key} has no soft_delete, so it has no restore`);
  try {
    const grant = guard(entry.policy[operation]).authorize(principal);
    const { list, data } = input;
    requireFields(view, { ...list, ...(data !== null && { data }) });
    grantFor(grant, data ?? undefined);
    if (operation === "search" && searchFields(model, view.unreadable).length === 0)
      return denied("403 PERMISSION_DENIED, there is no searchable field for the role");
  } catch (error) {
    return ofError(error, `no rule for ${name}: ${rolesText(admittedRoles(subject))}`);
  }
  return invalidRecord(subject, input);
}

function rolesText(roles: readonly string[]): string {
  return roles.length === 0 ? "it is denied to all" : `the rules are for ${roles.join(", ")}`;
}

/** The answer of an error of the service. `otherwise` replaces a message that every error of its code has. */
export function ofError(error: unknown, otherwise: string): Verdict {
  if (!(error instanceof ServiceError)) throw error;
  const { field } = error.details ?? {};
  const isOwn = error.message !== new ServiceError(error.code).message;
  const verdict = denied(
    `${error.status} ${error.code}, ${isOwn || otherwise === "" ? error.message : otherwise}`,
  );
  return typeof field === "string" ? { ...verdict, field } : verdict;
}

/** Only the types are checked if a hook can change the record. Fields of presets are not missing. */
function invalidRecord({ entry, model, operation }: Subject, { data }: AskedInput): Verdict | null {
  if (data === null) return null;
  const isNew = operation === "create" || operation === "upsert";
  const strictness = isNew ? "complete" : "partial";
  const hooked = Object.hasOwn(entry.hooks, `before_${operation}`);
  const schema = entry.validators[isNew ? operation : "update"];
  const preset = new Set(presetsOf(model).create.fields.map(({ name }) => name));
  const problem = recordProblems(schema, data, hooked ? "types" : strictness).find(
    ({ field }) => Object.hasOwn(data, field) || !preset.has(field),
  );
  if (problem === undefined) return null;
  const { field, message } = problem;
  return { ...denied(`400 VALIDATION_ERROR, ${field} ${message}`), field };
}
