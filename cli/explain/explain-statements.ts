import { bindFields } from "#runtime/data/sql/index";
import { columnsOf } from "#runtime/models/index";
import { type ExplainedStatement, type ExplainRequest, WrongArguments } from "./explanation.ts";
import { type AskedRequest, indexAdvice, type PlanNode } from "./index-advice.ts";
import { type ExplainedApp, showsOf } from "./subject.ts";
import { hiddenValue, type SentStatement } from "./trial.ts";

/** Errors: WrongArguments for flags without meaning. */
export function checkStatementFlags({ plan, analyze }: ExplainRequest, reads: boolean): void {
  if (analyze && !plan) throw new WrongArguments("--analyze needs --plan");
  if (analyze && !reads)
    throw new WrongArguments("--analyze runs the statement, so it is only for reads: leave it out");
}

/** Statements as they are printed, with plans and warnings if they are asked for. */
export async function explainedStatements(
  app: ExplainedApp,
  statements: readonly SentStatement[],
  { sql, plan, analyze }: ExplainRequest,
  asked: readonly AskedRequest[],
): Promise<ExplainedStatement[]> {
  if (!sql && !plan) return [];
  const masked = maskOf(asked);
  const options = analyze ? "analyze, buffers" : "costs";
  const explained: ExplainedStatement[] = [];
  for (const { text, values } of statements) {
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

/** Replaces the sent values of fields that are not shown, in values and in the literals of plans. */
function maskOf(asked: readonly AskedRequest[]): (text: string) => string {
  const hidden = asked.flatMap(({ subject: { app, model }, input: { list, data } }) => {
    const shows = showsOf(app.definition);
    const isHidden = (name: string) => columnsOf(model).has(name) && !shows(model.key, name);
    const names = Object.keys(data ?? {}).filter(isHidden);
    const filters = list.filters.filter(({ field }) => isHidden(field));
    return [
      ...filters.map(({ value }) => value),
      ...names.map((name) => data?.[name]),
      ...bindFields(model, data ?? {}, names),
    ];
  });
  const texts = hidden.flat().filter((value) => value !== null && value !== undefined);
  const secrets = [...new Set(texts.map(String))].filter((text) => text !== "");
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
