import { viewOf } from "#runtime/models/access/index";
import { isRuntimeColumn } from "#vocabulary/fields/runtime-columns";
import { columnsOf } from "#runtime/models/index";
import { type AskedInput, askedInput } from "./asked-input.ts";
import { type AskingCaller, askingCaller } from "./asking-caller.ts";
import { callerRules, explainedRules } from "./caller-rules.ts";
import { explainAskedRows } from "./explain-rows.ts";
import { checkStatementFlags, explainedStatements } from "./explain-statements.ts";
import type { ExplainRequest, Explanation } from "./explanation.ts";
import { type ExplainedApp, type Subject, explainedSubject } from "./subject.ts";
import { allowed, earlyRefusal } from "./verdicts.ts";

/** Explains an operation for a caller. Only reads the database. Errors: WrongArguments. */
export async function explainOperation(app: ExplainedApp, request: ExplainRequest): Promise<Explanation> {
  const subject = explainedSubject(app, request.subject ?? "");
  checkStatementFlags(request, subject.operation);
  const caller = await askingCaller(request.as, app);
  return explainSubject(subject, caller, askedInput(subject, request), request);
}

/** Explains an operation with an input that was read. */
async function explainSubject(
  subject: Subject,
  caller: AskingCaller,
  input: AskedInput,
  request: ExplainRequest,
): Promise<Explanation> {
  const { entry, model, operation } = subject;
  const { principal } = caller;
  const view = viewOf(model, entry.policy, principal);
  const sent =
    input.data === null
      ? null
      : Object.keys(input.data).filter((name) => name !== "id" && name !== "deleted_at");
  const sets = callerRules(subject, principal, sent);
  const refusal = earlyRefusal(subject, caller, view, input);
  const found = refusal === null ? await explainAskedRows({ subject, principal, view, sets, input }) : null;
  const statements = refusal === null ? await explainedStatements(subject, principal, input, request) : [];
  return {
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
    statements,
    answer: refusal ?? found?.answer ?? allowed,
  };
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
    ...(definition.internal ? ["the model is internal: it has no routes, and its rules serve joins"] : []),
  ];
}
