import { selfRole } from "../../vocabulary/accounts/role-names.ts";
import { isUserField } from "../../vocabulary/accounts/user-fields.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { type AccessKey, allOperations, fieldOperations } from "../../vocabulary/operations.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import { usersKey } from "../load/built-in-users.ts";
import type { RawFieldAccess, RawRule } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import { hasColumn, type ModelNode } from "../resolve/model-graph.ts";
import { isGenerated } from "../resolve/resolve-stored.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks access blocks: fields, roles, and models that no role can reach. */
export function checkAccess({ graph, report }: CheckContext): void {
  for (const node of graph.values()) {
    for (const [operation, { rules }] of node.raw.access.operations) {
      for (const { role } of rules) checkRole(role, report);
      for (const rule of rules) checkRuleFields(node, operation, rule, report);
    }
    for (const entry of node.raw.access.fields) checkFieldAccess(node, entry, report);
    checkSearch(node, report);
    checkRestore(node, report);
    checkReachable(node, report);
  }
}

/** Reports a role that no token can have. */
export function checkRole(role: Located<string>, report: ReportDiagnostic): void {
  checkSpelling(role, report);
  if (role.value === selfRole) reportSelf(role, report);
}

function checkSpelling({ value, at }: Located<string>, report: ReportDiagnostic): void {
  // The shape check reports an empty role.
  const odd = value !== value.trim() || /\p{Cc}/u.test(value);
  const plain = value.replace(/\p{Cc}+/gu, " ").trim();
  if (odd)
    report(
      "invalid-role",
      at,
      `the role ${JSON.stringify(value)} has spaces around it or control characters, which no token can have`,
      plain === "" ? null : `write ${JSON.stringify(plain)}`,
    );
}

function reportSelf({ at }: Located<string>, report: ReportDiagnostic): void {
  const message = `the role "${selfRole}" is the owner of an account: only columns that your app adds to "${usersKey}" can name it`;
  report("self-role", at, message, `remove it; a condition with {user_id} opens a user's rows`);
}

function checkFieldAccess(
  node: ModelNode,
  { field, read, write }: RawFieldAccess,
  report: ReportDiagnostic,
): void {
  const { value: name, at } = field;
  const isAdded = node.raw.builtIn && node.fields.has(name) && !isUserField(name);
  for (const role of [...(read ?? []), ...(write ?? [])]) (isAdded ? checkSpelling : checkRole)(role, report);
  const subject = `"${name}" in the access of model "${node.raw.key}"`;
  if (read === null && write === null) {
    const hint = 'add "read" or "write" with the allowed roles; an empty list means no one';
    report(
      "empty-field-access",
      at,
      `${subject} has neither "read" nor "write", so it restricts nothing`,
      hint,
    );
  }
  const declared = node.fields.get(name);
  if (declared !== undefined && !hasColumn(declared)) {
    report("unknown-key-field", at, `${subject} has no column; the joined model has its own access rules`);
  } else if (!node.kinds.has(name)) {
    report("unknown-key-field", at, `${subject} is not a field`, didYouMean(name, node.kinds.keys()));
  } else if (declared === undefined && write !== null) {
    report("unknown-key-field", at, `${subject} is set by the server, so only "read" applies to it`);
  } else if (declared?.type?.value === "password" && read !== null) {
    report(
      "inapplicable-option",
      at,
      `${subject} is a password, which no one can read; it can have only "write"`,
    );
  }
}

/** Checks the fields that a rule names: own fields with a column, in an operation that sends fields. */
function checkRuleFields(
  { raw, fields, kinds }: ModelNode,
  operation: AccessKey,
  rule: RawRule,
  report: ReportDiagnostic,
): void {
  // The rules of a list of roles share one list of fields.
  if (rule.fields === null || rule.list[0] !== rule.role.value) return;
  const subject = `a rule for "${operation}" of model "${raw.key}"`;
  if (!fieldOperations.some((each) => each === operation)) {
    const sender = operation === allOperations ? "some of its operations send" : `${operation} sends`;
    const hint = `remove them; rules for ${fieldOperations.join(", ")} can name fields`;
    report("rule-fields", rule.fields.at, `${subject} names fields, and ${sender} none`, hint);
    return;
  }
  for (const { value: name, at } of rule.fields.names) {
    const field = fields.get(name);
    if (field !== undefined && hasColumn(field) && !isGenerated(field)) continue;
    const own = [...fields.values()].filter((each) => hasColumn(each) && !isGenerated(each));
    const setBy = field === undefined ? "which the server sets" : "which only the database fills in";
    const reason = kinds.has(name) ? setBy : "which is not a field of the model";
    report(
      "rule-fields",
      at,
      `${subject} names "${name}", ${reason}`,
      didYouMean(
        name,
        own.map((each) => each.name),
      ),
    );
  }
}

function checkSearch({ raw }: ModelNode, report: ReportDiagnostic): void {
  const { operations } = raw.access;
  const phrase = operations.get("search")?.phrase ?? null;
  if (phrase === null || ((operations.get("fetch") ?? operations.get(allOperations))?.rules.length ?? 0) > 0)
    return;
  const message = `search of model "${raw.key}" has the rules of fetch, and fetch has no rules`;
  report("search-without-fetch", phrase.at, message, 'add rules to "fetch", or write a list of rules');
}

function checkRestore({ raw }: ModelNode, report: ReportDiagnostic): void {
  const restore = raw.access.operations.get("restore");
  if (restore === undefined || raw.softDelete || restore.rules.length === 0) return;
  const message = `model "${raw.key}" has no soft delete, so its rules for restore have no effect`;
  report("restore-without-soft-delete", restore.at, message, 'remove them, or add "soft_delete": true');
}

function checkReachable({ raw }: ModelNode, report: ReportDiagnostic): void {
  const reachable = [...raw.access.operations].some(
    ([operation, { rules }]) => rules.length > 0 && (operation !== "restore" || raw.softDelete),
  );
  if (raw.internal || reachable) return;
  const hint = 'add rules to "access", or "internal": true if that is intended';
  report("unreachable-model", raw.access.at, `no role may run any operation of model "${raw.key}"`, hint);
}
