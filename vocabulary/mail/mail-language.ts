// The language of mail templates: Handlebars, of which two things are left, a value's name and a condition on one.

import { suggestion } from "../nearest.ts";

/** A node of the tree that Handlebars makes of a text, as far as it is looked at. */
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

/** Something that a template may not hold. Line and column begin at 1. */
export interface TemplateProblem {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** The state of parsing a template. */
export interface TemplateCheck {
  /** Whether values are escaped for HTML. */
  readonly escapes: boolean;
  /** All that may be named; null: any name. */
  readonly known: readonly string[] | null;
  /** Names that must have a value, and those that are asked about. */
  readonly needed: Set<string>;
  readonly asked: Set<string>;
  readonly problems: TemplateProblem[];
}

const valueName = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
/** Helpers of Handlebars, and what represents all values. */
const reserved = new Set(["if", "unless", "each", "with", "lookup", "log", "else", "this"]);

/** Checks a whole template: no helper runs, no prototype is reached, and a mistyped name is found. */
export function checkTemplate(tree: TemplateTree, check: TemplateCheck): void {
  checkProgram(tree, new Set(), check);
}

/** `given` are names that have a value there, since a condition around it asked for it. */
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
  if (check.escapes && node.escaped === false)
    report(check, node, "{{{…}}} would leave out the escaping: use {{…}}");
  if ((node.params ?? []).length > 0 || node.hash !== undefined)
    report(check, node, "there are no helpers but if and unless");
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

/** Null if it is not one, which is reported. */
function nameAt(node: TemplateNode | undefined, check: TemplateCheck): string | null {
  if (node === undefined) return null;
  const { known } = check;
  const name = typeof node.original === "string" ? node.original : String(node.original ?? "");
  const isName = node.type === "PathExpression" && valueName.test(name) && !reserved.has(name);
  if (isName && (known === null || known.includes(name))) return name;
  const hint =
    known === null
      ? "; a name has letters, digits and underscores, and begins with a letter"
      : `${suggestion(name, known)}; there are ${known.join(", ")}`;
  report(check, node, `there is no value "${name}"${hint}`);
  return null;
}

function report({ problems }: TemplateCheck, { loc }: TemplateNode, problem: string): void {
  problems.push({ line: loc.start.line, column: loc.start.column + 1, problem });
}
