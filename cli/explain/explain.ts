import { ServiceError } from "#runtime/core/errors/index";
import { viewOf } from "#runtime/models/access/index";
import { columnsOf } from "#runtime/models/index";
import { recordProblems } from "#runtime/models/validation/index";
import { isRuntimeColumn } from "#vocabulary/fields/runtime-columns";
import { type AskedInput, askedInput, isRead } from "./asked-input.ts";
import { type AskingCaller, askingCaller } from "./asking-caller.ts";
import { admittedRoles, callerRules, explainedRules } from "./caller-rules.ts";
import { explainAskedRows, mostRows } from "./explain-rows.ts";
import { checkStatementFlags, explainedStatements } from "./explain-statements.ts";
import {
  allowed,
  denied,
  type ExplainRequest,
  type Explanation,
  missing,
  type Verdict,
  verdictOf,
} from "./explanation.ts";
import { type ExplainedApp, explainedSubject, type Subject } from "./subject.ts";
import { admitted, isComplete, refusalIn, sent, trial } from "./trial.ts";

/** Explains an operation for a caller, and changes nothing. Errors: WrongArguments. */
export async function explainOperation(app: ExplainedApp, request: ExplainRequest): Promise<Explanation> {
  const subject = explainedSubject(app, request.subject ?? "");
  const reads = isRead(subject.operation);
  checkStatementFlags(request, reads);
  const input = askedInput(subject, request);
  if (reads) await onlyReads(app);
  const caller = await askingCaller(request.as, app);
  const { explanation, isRefused } = await explainSubject(subject, caller, input);
  const isSent = reads ? request.sql || request.plan : isComplete(subject, input) && !isTooMany(explanation);
  if (isRefused || !isSent) return explanation;
  const { statements, error } = await trial(app, caller.principal, (services, as) =>
    sent(subject, input, services, as),
  );
  return {
    ...answeredBy(explanation, subject, input, refusalIn(error)),
    statements: await explainedStatements(app, statements, request, [{ subject, input }]),
  };
}

/** PostgreSQL refuses writes from here on. */
export async function onlyReads({ connection }: ExplainedApp): Promise<void> {
  await connection.run({ name: null, text: "set transaction read only" }, []);
}

/** Whether more rows match than are evaluated. A trial would lock all of them. */
function isTooMany({ rows, more_rows }: Explanation): boolean {
  return rows.length + more_rows > mostRows.evaluated;
}

/** What the rules say of a request. `isRefused`: the service refuses it before it looks at rows. */
export async function explainSubject(
  subject: Subject,
  caller: AskingCaller,
  input: AskedInput,
): Promise<{ readonly explanation: Explanation; readonly isRefused: boolean }> {
  const { entry, model, operation } = subject;
  const { principal } = caller;
  const view = viewOf(model, entry.policy, principal);
  const names = input.data === null ? null : Object.keys(input.data);
  const written = names?.filter((name) => name !== "id" && name !== "deleted_at") ?? null;
  const sets = callerRules(subject, principal, written);
  const refusal = refusalBefore(subject, caller, input);
  const found = refusal === null ? await explainAskedRows({ subject, principal, view, sets, input }) : null;
  const explanation: Explanation = {
    model: model.key,
    operation,
    caller: { name: caller.name, role: principal.role, user_id: principal.user_id || null },
    rules: sets.map(explainedRules),
    reads: view.readable,
    writes: [...columnsOf(model).keys()].filter(
      (name) => !isRuntimeColumn(name) && !view.unwritable.has(name),
    ),
    rate_limit: limitOf(subject),
    hooks: hooksOf(subject),
    notes: notesOf(subject, input),
    rows: found?.rows ?? [],
    more_rows: found?.more ?? 0,
    statements: [],
    answer: refusal ?? found?.answer ?? allowed,
  };
  if (isRead(operation) || !isTooMany(explanation)) return { explanation, isRefused: refusal !== null };
  const note = `more than ${mostRows.evaluated} rows match: the write was not tried, only the rules`;
  return {
    explanation: { ...explanation, notes: [...explanation.notes, note] },
    isRefused: refusal !== null,
  };
}

/** The refusal of a request before the service looks at rows; null if it passes. */
function refusalBefore(subject: Subject, caller: AskingCaller, input: AskedInput): Verdict | null {
  const { entry, model, operation, definition } = subject;
  if (caller.note !== null) return denied(caller.note);
  if (definition.builtIn) return missing("accounts have routes of their own: docs/auth.md");
  if (operation === "restore" && !model.softDelete)
    return missing(`${model.key} has no soft_delete, so it has no restore`);
  try {
    admitted(subject, caller.principal, input);
  } catch (error) {
    const refusal = refusalIn(error);
    const roles = admittedRoles(subject);
    const rules = roles.length === 0 ? "it is denied to all" : `the rules are for ${roles.join(", ")}`;
    const isUnnamed = refusal?.message === new ServiceError("PERMISSION_DENIED").message;
    if (isUnnamed) return denied(`403 PERMISSION_DENIED, no rule for ${caller.name}: ${rules}`);
    return refusal && verdictOf(refusal);
  }
  // Rows with values of a wrong type cannot be evaluated.
  const isNew = operation === "create" || operation === "upsert";
  const [wrong] = recordProblems(entry.validators[isNew ? operation : "update"], input.data ?? {}, "types");
  if (wrong === undefined) return null;
  return { ...denied(`400 VALIDATION_ERROR, ${wrong.field}: ${wrong.message}`), field: wrong.field };
}

/** The answer of the service, with the reason that the rules give for it. `error`: null for success. */
export function answeredBy(
  explanation: Explanation,
  { entry, operation }: Subject,
  { data }: AskedInput,
  error: ServiceError | null,
): Explanation {
  const { rows, answer: byRules } = explanation;
  if (error === null && byRules.outcome !== "refused") return explanation;
  const own = error === null ? allowed : verdictOf(error);
  // A before-hook can fill in a field that was not sent.
  const isHooked = Object.hasOwn(entry.hooks, `before_${operation}`);
  const isFilled =
    error?.message === `${own.field}: is required` && !Object.hasOwn(data ?? {}, own.field ?? "");
  if (isHooked && isFilled) return explanation;
  const isByRules = error?.code === "PERMISSION_DENIED" || error?.code === "NOT_FOUND";
  const answer = isByRules && byRules.outcome === own.outcome ? byRules : own;
  return { ...explanation, rows: rows.length === 1 ? rows.map((row) => ({ ...row, answer })) : rows, answer };
}

function limitOf({ app, definition, operation }: Subject): string {
  const { limit } = definition.limits[operation];
  if (limit === null || !app.definition.rateLimits.enabled) return "unlimited";
  return `${limit.maxRequests} requests in ${limit.windowSeconds} seconds per ${limit.per}`;
}

function hooksOf({ entry, definition, operation }: Subject): Explanation["hooks"] {
  const file = definition.hooks?.file ?? "";
  return [`before_${operation}`, `after_${operation}`]
    .filter((name) => Object.hasOwn(entry.hooks, name))
    .map((name) => ({ name, file }));
}

/** What the answer leaves out. */
function notesOf({ entry, operation, definition }: Subject, { data, rows }: AskedInput): string[] {
  const hook = `before_${operation}`;
  const changes = operation === "update" || operation === "restore";
  return [
    ...(Object.hasOwn(entry.hooks, hook) ? [`${hook} did not run: it can change or refuse the request`] : []),
    ...(operation === "update" && rows !== null && data === null
      ? ["only the row before the change: add --data"]
      : []),
    ...(changes && rows === null && data !== null ? ["without --id or --where no row is explained"] : []),
    ...(definition.internal && !definition.builtIn
      ? ["the model is internal: it has no routes, and its rules serve joins"]
      : []),
  ];
}
