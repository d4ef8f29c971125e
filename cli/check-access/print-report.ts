import { type AccessCell, type AccessReport, countOf, type FoundRule, outcomes } from "./access-report.ts";

/** The report as text for people. Its last line has the numbers. */
export function printAccessReport(report: AccessReport): string {
  const { cells, passed, failed, not_tried } = report;
  const parts = [
    ...modelsOf(cells).map(([model, own]) => modelPart(model, own)),
    findings("dead: no row can satisfy these rules", report.dead.map(ruleLine)),
    findings("covered: another rule opens the rows of these rules", report.covered.map(ruleLine)),
    findings(
      "forgets tenant: no rule mentions the tenant that the model belongs to",
      report.forgets_tenant.map(({ model, tenant, path }) => `${model}: ${tenant}, reached by ${path}`),
    ),
    findings(
      "not covered by rules: these routes answered",
      report.not_covered_by_rules.map(({ route, callers }) => `${route}: ${callers.join(", ")}`),
    ),
    `${passed} passed, ${failed} failed, ${not_tried} not tried`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The cells of each model. */
function modelsOf(cells: readonly AccessCell[]): [string, AccessCell[]][] {
  const models = [...new Set(cells.map(({ model }) => model))];
  return models.map((model) => [model, cells.filter((cell) => cell.model === model)]);
}

function modelPart(model: string, cells: readonly AccessCell[]): string {
  const changed = cells.filter(({ outcome }) => outcome.startsWith("changed")).length;
  const counts = [
    ...Object.values(outcomes).map((outcome) => `${countOf(cells, outcome)} ${outcome}`),
    ...(changed > 0 ? [`${changed} changed by hooks`] : []),
  ];
  const failures = cells.filter(({ outcome }) => outcome === outcomes.failed).flatMap(failureLines);
  return [`${model}: ${counts.join(", ")}`, ...failures, ...reasonLines(cells)].join("\n");
}

function failureLines(cell: AccessCell): string[] {
  return [
    `  failed: ${cellName(cell)}`,
    `    request:  ${cell.request}`,
    `    expected: ${cell.expected}`,
    `    actual:   ${cell.actual}`,
    `    ${cell.reason}`,
  ];
}

/** Cells that were not tried or that a hook changed, grouped by their reason. */
function reasonLines(cells: readonly AccessCell[]): string[] {
  const groups = new Map<string, AccessCell[]>();
  for (const cell of cells) {
    if (cell.outcome === outcomes.passed || cell.outcome === outcomes.failed) continue;
    const key = `  ${cell.outcome}: ${cell.operation} ${cell.rows}: ${cell.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups].map(
    ([text, group]) => `${text} (${[...new Set(group.map(({ caller }) => caller))].join(", ")})`,
  );
}

/** A cell in words. */
export function cellName({ model, operation, caller, rows, front }: AccessCell): string {
  return `${model}.${operation} as ${caller}, rows ${rows}, over ${front}`;
}

function ruleLine({ model, operation, role, condition, reason }: FoundRule): string {
  return `${model}.${operation}, ${role}: ${condition} (${reason})`;
}

function findings(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** The report in the format of JUnit, for CI: a suite for each model. */
export function junitReport({ cells }: AccessReport): string {
  const numbers = (own: readonly AccessCell[]) =>
    `tests="${own.length}" failures="${countOf(own, outcomes.failed)}" skipped="${countOf(own, outcomes.notTried)}"`;
  const suites = modelsOf(cells).flatMap(([model, own]) => [
    `  <testsuite name=${attribute(model)} ${numbers(own)}>`,
    ...own.map(testCase),
    "  </testsuite>",
  ]);
  const head = `<testsuites name="kirak check-access" ${numbers(cells)}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, "</testsuites>", ""].join("\n");
}

function testCase(cell: AccessCell): string {
  const { model, operation, outcome, reason = "", request = "", expected = "", actual = "" } = cell;
  const head = `    <testcase classname=${attribute(`${model}.${operation}`)} name=${attribute(cellName(cell))}`;
  if (outcome === outcomes.notTried) return `${head}><skipped message=${attribute(reason)}/></testcase>`;
  if (outcome !== outcomes.failed) return `${head}/>`;
  const text = `request: ${request}\nexpected: ${expected}\nactual: ${actual}\n${reason}`;
  return `${head}><failure message=${attribute(reason)}>${escaped(text)}</failure></testcase>`;
}

function attribute(text: string): string {
  return `"${escaped(text).replaceAll("\n", "&#10;")}"`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML 1.0 has no form for most control characters. */
function escaped(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, "").replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
