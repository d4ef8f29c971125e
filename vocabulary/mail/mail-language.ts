// The language of mail templates: a subset of Handlebars with only values, `if` and `unless`.

import { suggestion } from "../nearest.ts";

/** A node of the syntax tree of Handlebars, with the properties that the check reads. */
export interface TemplateNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly path?: TemplateNode;
  readonly original?: unknown;
  readonly params?: readonly TemplateNode[];
  readonly hash?: unknown;
  readonly escaped?: boolean;
  readonly program?: TemplateTree;
  readonly inverse?: TemplateTree;
}

export interface TemplateTree {
  readonly body: readonly TemplateNode[];
  readonly blockParams?: readonly string[];
}

/** An error in a template. Line and column are 1-based. */
export interface TemplateProblem {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** The state of parsing a template. */
export interface TemplateCheck {
  /** Whether values are escaped for HTML. */
  readonly escapes: boolean;
  /** The allowed names; null for any name. */
  readonly known: readonly string[] | null;
  /** Names of required values, and names that conditions test. */
  readonly needed: Set<string>;
  readonly asked: Set<string>;
  readonly problems: TemplateProblem[];
}

const valueName = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
/** Names of Handlebars helpers and keywords, which values cannot have. */
const reserved = new Set(["if", "unless", "each", "with", "lookup", "log", "else", "this"]);

/** Reports helpers, unknown names and access to prototypes in a template. */
export function checkTemplate(tree: TemplateTree, check: TemplateCheck): void {
  checkProgram(tree, new Set(), check);
}

/** `given` are names that have a value here, because an outer condition tests them. */
function checkProgram(
  program: TemplateTree | undefined,
  given: ReadonlySet<string>,
  check: TemplateCheck,
): void {
  for (const node of program?.body ?? []) {
    if (node.type === "ContentStatement" || node.type === "CommentStatement") continue;
    if (node.type === "MustacheStatement") checkValue(node, given, check);
    else if (isCondition(node)) checkCondition(node, given, check);
    else report(check, node, "a template can hold only {{name}}, {{#if name}} and {{#unless name}}");
  }
}

function checkValue(node: TemplateNode, given: ReadonlySet<string>, check: TemplateCheck): void {
  if (check.escapes && node.escaped === false) report(check, node, "{{{…}}} skips the escaping: use {{…}}");
  if ((node.params ?? []).length > 0 || node.hash !== undefined)
    report(check, node, "the only helpers are if and unless");
  else {
    const name = nameAt(node.path, check);
    if (name !== null && !given.has(name)) check.needed.add(name);
  }
}

function isCondition({ type, path, params = [], hash, program }: TemplateNode): boolean {
  const isAllowed = path?.original === "if" || path?.original === "unless";
  const takesNoNames = (program?.blockParams ?? []).length === 0;
  return type === "BlockStatement" && isAllowed && params.length === 1 && hash === undefined && takesNoNames;
}

function checkCondition(node: TemplateNode, given: ReadonlySet<string>, check: TemplateCheck): void {
  const name = nameAt(node.params?.[0], check);
  if (name !== null) check.asked.add(name);
  const withName = name === null ? given : new Set([...given, name]);
  const isIf = node.path?.original === "if";
  checkProgram(node.program, isIf ? withName : given, check);
  checkProgram(node.inverse, isIf ? given : withName, check);
}

/** The name of a value. Reports an invalid name and returns null. */
function nameAt(node: TemplateNode | undefined, check: TemplateCheck): string | null {
  if (node === undefined) return null;
  const { known } = check;
  const name = typeof node.original === "string" ? node.original : String(node.original ?? "");
  const isName = node.type === "PathExpression" && valueName.test(name) && !reserved.has(name);
  if (isName && (known === null || known.includes(name))) return name;
  const hint =
    known === null
      ? "; names have letters, digits and underscores, and begin with a letter"
      : `${suggestion(name, known)}; the values are ${known.join(", ")}`;
  report(check, node, `there is no value "${name}"${hint}`);
  return null;
}

function report({ problems }: TemplateCheck, { loc }: TemplateNode, problem: string): void {
  problems.push({ line: loc.start.line, column: loc.start.column + 1, problem });
}
