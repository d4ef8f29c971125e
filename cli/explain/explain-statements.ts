import type { Principal } from "#runtime/models/access/index";
import { columnsOf } from "#runtime/models/index";
import { type AskedInput, isRead } from "./asked-input.ts";
import { type ExplainedStatement, type ExplainRequest, WrongArguments } from "./explanation.ts";
import { indexAdvice, type PlanNode } from "./index-advice.ts";
import { hiddenValue, type RecordedStatement, recordedStatements } from "./recorded-statements.ts";
import { type ExplainedApp, type Subject, showsOf } from "./subject.ts";

/** The flags of statements. Errors: WrongArguments for a combination without meaning. */
export function checkStatementFlags(
  { plan, analyze }: ExplainRequest,
  operation: Subject["operation"] | null,
): void {
  if (analyze && !plan) throw new WrongArguments("--analyze needs --plan");
  if (analyze && operation !== null && !isRead(operation))
    throw new WrongArguments(
      `--analyze runs the statement, so it is only for reads: leave it out for ${operation}`,
    );
}

/** The statements of a request, with plans and warnings if they are asked for. */
export async function explainedStatements(
  subject: Subject,
  principal: Principal,
  input: AskedInput,
  request: ExplainRequest,
): Promise<ExplainedStatement[]> {
  const isAsked = request.sql || request.plan;
  const recorded = isAsked ? await recordedStatements(subject, principal, input) : [];
  return statementsOf({ app: subject.app, recorded, request, asked: { subject, input } });
}

interface Recorded {
  readonly app: ExplainedApp;
  readonly recorded: readonly RecordedStatement[];
  readonly request: ExplainRequest;
  /** Null for a document of GraphQL. */
  readonly asked?: { readonly subject: Subject; readonly input: AskedInput };
}

/** Recorded statements as they are printed. */
export async function statementsOf({
  app,
  recorded,
  request,
  asked,
}: Recorded): Promise<ExplainedStatement[]> {
  const { sql, plan, analyze } = request;
  if (!sql && !plan) return [];
  const masked = asked === undefined ? (text: string) => text : maskOf(asked.subject, asked.input);
  const options = analyze ? "analyze, buffers" : "costs";
  const explained: ExplainedStatement[] = [];
  for (const { text, values } of recorded) {
    const shown = { text: masked(text), values: values.map((value) => maskedValue(value, masked)) };
    if (!plan) {
      explained.push(shown);
      continue;
    }
    const read = (format: string) =>
      app.connection.run({ name: null, text: `explain (${options}, format ${format}) ${text}` }, values);
    const lines = await read("text");
    const [row] = await read("json");
    const [root]: readonly { readonly Plan: PlanNode }[] = JSON.parse(row?.[0] ?? "[]");
    const warnings = root === undefined ? [] : await indexAdvice(app, root.Plan, asked);
    explained.push({ ...shown, plan: lines.map(([line]) => masked(line ?? "")), warnings });
  }
  return explained;
}

/** Replaces the given values of fields that are not shown, in values and in the literals of plans. */
function maskOf({ app, model }: Subject, { list, data }: AskedInput): (text: string) => string {
  const shows = showsOf(app.definition);
  const isHidden = (name: string) => columnsOf(model).has(name) && !shows(model.key, name);
  const given = [
    ...list.filters.filter(({ field }) => isHidden(field)).flatMap(({ value }) => value),
    ...Object.entries(data ?? {}).flatMap(([name, value]) => (isHidden(name) ? [value] : [])),
  ];
  const secrets = [...new Set(given.filter((value) => value !== null).map(String))].filter(
    (text) => text !== "",
  );
  return (text) =>
    secrets.reduce(
      (left, secret) =>
        left === secret
          ? hiddenValue
          : left.replaceAll(`'${secret.replaceAll("'", "''")}'`, `'${hiddenValue}'`),
      text,
    );
}

function maskedValue(value: unknown, masked: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, masked));
  return value === null || masked(String(value)) === String(value) ? value : hiddenValue;
}
