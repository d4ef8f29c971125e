import { escapeInvisible } from "#generator/emit/literal";
import { operandText } from "#generator/emit/views/condition-view";
import type { Json } from "#vocabulary/json";
import type { EvaluatedPart, Truth } from "./evaluate-parts.ts";
import type { ExplainedDocument, ExplainedRow, ExplainedStatement, Explanation } from "./explanation.ts";

const longestValue = 60;
const mostReasons = 3;

/** The lines of a document: those of each root field, then its statements and the answer. */
export function printExplainedDocument({ fields, statements, answer }: ExplainedDocument): string {
  const each = fields.map(
    ({ key, explanation }) => `${escapeInvisible(key)}: ${printExplanation(explanation)}\n`,
  );
  const lines = [...statements.flatMap(statementLines), answer.text].map(escapeInvisible);
  return `${each.join("")}${lines.join("\n")}\n`;
}

/** The lines of an explanation. The last one is the answer. */
export function printExplanation(explanation: Explanation): string {
  const { model, operation, caller, rows, more_rows, notes, statements, answer } = explanation;
  const asked = rows.length > 0 ? rows.flatMap(rowLines) : generalLines(explanation);
  const more = more_rows > 0 ? [`and ${more_rows} more rows`] : [];
  const lines = [
    `${model}.${operation} for ${caller.name}`,
    ...asked,
    ...more,
    ...statements.flatMap(statementLines),
    ...notes.map((note) => `note: ${note}`),
    answer.text,
  ];
  return `${lines.map(escapeInvisible).join("\n")}\n`;
}

function generalLines({ rules, reads, writes, rate_limit, hooks }: Explanation): string[] {
  const sets = rules.flatMap(({ about, rules: each, combined }) => [
    about === "rows" ? "rules" : `rules for ${about}`,
    ...table(
      each.map(({ file, line, role, condition, fields, counts }) => [
        `${file}:${line}`,
        role,
        `${condition ?? "all rows"}${fields === null ? "" : ` [fields: ${fields.join(", ")}]`}${counts ? "" : ", does not count: a sent field is not in its fields"}`,
      ]),
      "  ",
    ),
    `  together: ${combined}`,
  ]);
  const files = [...new Set(hooks.map(({ file }) => file))].join(", ");
  return [
    ...sets,
    "fields",
    `  reads: ${reads.join(", ") || "none"}`,
    `  writes: ${writes.join(", ") || "none"}`,
    `rate limit: ${rate_limit}`,
    `hooks: ${hooks.length === 0 ? "none" : `${hooks.map(({ name }) => name).join(", ")} (${files})`}`,
  ];
}

function rowLines({ id, states, answer }: ExplainedRow): string[] {
  const parts = states.flatMap(({ state, rules }) => {
    const isOnly = state === "row" || state === "new row";
    const indent = isOnly ? "  " : "    ";
    const lines = rules.flatMap(({ file, line, role, holds, condition }) => [
      `${indent}${file}:${line} for ${role}: ${condition === null ? "all rows" : truthText(holds)}`,
      ...(condition === null ? [] : table(partLines(condition, `${indent}  `), "")),
    ]);
    return isOnly ? lines : [`  ${state}`, ...lines];
  });
  return [id === null ? "new row" : `row ${id}`, ...parts, `  ${answer.text}`];
}

type Cells = readonly string[];

/** A part and its parts: text, truth, values. */
function partLines(part: EvaluatedPart, indent: string): Cells[] {
  const { op, truth, parts, rows } = part;
  const isJunction = op === "and" || op === "or" || op === "not";
  const text = isJunction ? op.toUpperCase() : part.text;
  const inner = parts.flatMap((each) => partLines(each, `${indent}  `));
  const detail = rows === undefined ? valuesText(part) : `${rows.matched} of ${counted(rows.total)} matched`;
  const rejected = (rows?.rejected ?? []).flatMap(({ id, part: why }) =>
    reasonsOf(why)
      .slice(0, mostReasons)
      .map(
        (reason, index): Cells => [
          `${indent}  ${index === 0 ? `row ${id}: ` : "       "}${reason.text}`,
          truthText(reason.truth),
          detailOf(reason),
        ],
      ),
  );
  const unseen = rows === undefined ? 0 : rows.total - rows.matched - rows.rejected.length;
  const more = unseen > 0 ? [[`${indent}  and ${unseen} more rows`, "", ""]] : [];
  return [[`${indent}${text}`, truthText(truth), detail], ...inner, ...rejected, ...more];
}

/** The innermost parts for which a condition does not hold. */
function reasonsOf(part: EvaluatedPart): readonly EvaluatedPart[] {
  const { op, parts } = part;
  if (op === "and" || op === "or" || op === "call")
    return parts.filter(({ truth }) => truth !== true).flatMap(reasonsOf);
  return [part];
}

function detailOf(part: EvaluatedPart): string {
  if (part.rows !== undefined) return `${part.rows.matched} of ${counted(part.rows.total)} matched`;
  return part.op === "not" ? part.parts.map(valuesText).join(", ") : valuesText(part);
}

function counted(total: number): string {
  return total === 1 ? "1 row" : `${total} rows`;
}

function valuesText({ values }: EvaluatedPart): string {
  return values
    .map(
      (compared) =>
        `${compared.name} is ${"value" in compared ? valueText(compared.value ?? null) : "hidden"}`,
    )
    .join(", ");
}

/** A value in the language of conditions, shortened. */
export function valueText(value: Json): string {
  if (value === null) return "NULL";
  if (typeof value === "object") return shortened(JSON.stringify(value));
  return operandText(typeof value === "string" ? shortened(value) : value);
}

function shortened(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue).toWellFormed()}…` : text;
}

function truthText(truth: Truth): string {
  return truth === null ? "unknown" : String(truth);
}

function statementLines({ text, values, plan = [], warnings = [] }: ExplainedStatement): string[] {
  const bound = values.map((value, index) => `  $${index + 1} = ${JSON.stringify(value)}`);
  return [
    "statement",
    ...text.split("\n").map((line) => `  ${line.trim()}`),
    ...bound,
    ...(plan.length === 0 ? [] : ["plan", ...plan.map((line) => `  ${line}`)]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
}

/** Rows with aligned columns. A long first column does not widen the others. */
function table(rows: readonly Cells[], indent: string): string[] {
  const widths = [0, 1].map((at) =>
    Math.min(72, Math.max(0, ...rows.map((cells) => (cells[at] ?? "").length))),
  );
  return rows.map((cells) =>
    (indent + cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).trimEnd(),
  );
}
