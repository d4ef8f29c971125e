import { createRequire } from "node:module";
import { suggestion } from "../../vocabulary/nearest.ts";

const require = createRequire(import.meta.url);
/** Loaded with the first template of an app, or the first mail. */
const handlebars = (): typeof import("handlebars") => require("handlebars");

/** What a template is filled in with: its own keys, nothing inherited. */
export type TemplateValues = Readonly<
  Record<"service" | "link" | "email" | "first_name" | "expires_in", string | null>
>;

interface TemplateSource {
  /** The file as messages name it. */
  readonly label: string;
  readonly content: string;
  /** Of the file, where the content begins. */
  readonly line: number;
  /** Whether values are escaped for HTML. */
  readonly escape: boolean;
}

const names: readonly string[] = ["service", "link", "email", "first_name", "expires_in"];
const blocks: readonly string[] = ["if", "unless"];

/**
 * Compiles a template of Handlebars, of which two things are left: a value's name, and `if` or `unless` with one. So no
 * helper runs, no prototype is reached, and a mistyped name is found at the start. Adds to `problems`.
 */
export function compileTemplate(
  source: TemplateSource,
  problems: string[],
): (values: TemplateValues) => string {
  const tree = parse(source, problems);
  if (tree === null) return () => "";
  const report = (at: hbs.AST.Node, problem: string) =>
    problems.push(`${source.label}:${at.loc.start.line + source.line - 1}: ${problem}`);
  checkProgram(tree, source.escape, report);
  const fill = handlebars().compile<TemplateValues>(tree, {
    strict: true,
    noEscape: !source.escape,
    knownHelpersOnly: true,
  });
  return (values) => fill(values);
}

function parse({ label, content, line }: TemplateSource, problems: string[]): hbs.AST.Program | null {
  try {
    return handlebars().parse(content);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const found = / on line (\d+)/.exec(message)?.[1] ?? / - (\d+):\d+$/.exec(message)?.[1] ?? "1";
    const last = message.split("\n").at(-1) ?? message;
    const reason = last.endsWith("got 'EOF'") ? "a {{#if}} or {{#unless}} is not closed" : last;
    problems.push(`${label}:${Number(found) + line - 1}: not a template of Handlebars: ${reason}`);
    return null;
  }
}

type Report = (at: hbs.AST.Node, problem: string) => void;

function checkProgram(program: hbs.AST.Program | undefined, escaping: boolean, report: Report): void {
  for (const statement of program?.body ?? []) checkStatement(statement, escaping, report);
}

function checkStatement(statement: hbs.AST.Statement, escaping: boolean, report: Report): void {
  if (isComment(statement)) return;
  if (isMustache(statement)) {
    if (escaping && !statement.escaped) report(statement, "{{{…}}} would leave out the escaping: use {{…}}");
    if (hasArguments(statement)) report(statement, "there are no helpers but if and unless");
    else checkName(statement.path, report);
  } else if (isBlock(statement) && isAllowedBlock(statement)) {
    for (const parameter of statement.params) checkName(parameter, report);
    checkProgram(statement.program, escaping, report);
    checkProgram(statement.inverse, escaping, report);
  } else {
    report(statement, "a template may hold {{name}}, {{#if name}} and {{#unless name}} alone");
  }
}

function isAllowedBlock({ path, params, hash, program }: hbs.AST.BlockStatement): boolean {
  const noBlockParams = (program?.blockParams ?? []).length === 0;
  return blocks.includes(path.original) && params.length === 1 && hash === undefined && noBlockParams;
}

function checkName(expression: hbs.AST.Node, report: Report): void {
  const name = "original" in expression ? String(expression.original) : "";
  if (expression.type !== "PathExpression" || !names.includes(name))
    report(
      expression,
      `there is no value "${name}"${suggestion(name, names)}; there are ${names.join(", ")}`,
    );
}

function hasArguments({ params, hash }: hbs.AST.MustacheStatement): boolean {
  return params.length > 0 || hash !== undefined;
}

function isComment(statement: hbs.AST.Statement): boolean {
  return statement.type === "ContentStatement" || statement.type === "CommentStatement";
}

function isMustache(statement: hbs.AST.Statement): statement is hbs.AST.MustacheStatement {
  return statement.type === "MustacheStatement";
}

function isBlock(statement: hbs.AST.Statement): statement is hbs.AST.BlockStatement {
  return statement.type === "BlockStatement";
}
