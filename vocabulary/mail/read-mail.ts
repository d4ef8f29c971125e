import { accountMailValues, isAccountMail, type MailFileKind } from "./mail-files.ts";
import {
  checkTemplate,
  type TemplateCheck,
  type TemplateProblem,
  type TemplateTree,
} from "./mail-language.ts";

/** The contents of a mail's files, with LF line endings. */
export interface MailTexts {
  readonly txt: string;
  readonly html: string | null;
}

/** A problem and the file that it is in. */
export interface MailProblem extends TemplateProblem {
  readonly file: MailFileKind;
}

/** A mail's parsed templates. A tree is null if its text has a syntax error. */
export interface ReadMail<Tree> {
  readonly subject: Tree | null;
  readonly text: Tree | null;
  /** Null also if the mail has no HTML file. */
  readonly html: Tree | null;
  /** Names of required values, and of values that only conditions test, which are optional. */
  readonly needed: readonly string[];
  readonly optional: readonly string[];
  readonly problems: readonly MailProblem[];
}

/** A part of a file, with its 1-based start. */
interface Part {
  readonly file: MailFileKind;
  readonly content: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Parses and checks the templates of a mail. `parse` is Handlebars' parser, whose errors contain the
 * position.
 */
export function readMail<Tree extends TemplateTree>(
  mail: string,
  { txt, html }: MailTexts,
  parse: (text: string) => Tree,
): ReadMail<Tree> {
  const known = isAccountMail(mail) ? accountMailValues[mail] : null;
  const names = { needed: new Set<string>(), asked: new Set<string>() };
  const problems: MailProblem[] = [];
  const read = (part: Part) => readPart(part, { ...names, known }, parse, problems);
  const { subject, body } = splitSubject(txt, problems);
  return {
    subject: read(subject),
    text: read(body),
    html: html === null ? null : read({ file: "html", content: html, line: 1, column: 1 }),
    needed: [...names.needed].sort(),
    optional: [...names.asked].filter((name) => !names.needed.has(name)).sort(),
    problems,
  };
}

/** Splits a text file: the first line is the subject, the second line is empty. */
function splitSubject(txt: string, problems: MailProblem[]): { readonly subject: Part; readonly body: Part } {
  const [first = "", second = "", ...lines] = txt.split("\n");
  const content = /^Subject:[ \t]*(\S.*)$/.exec(first)?.[1];
  const note = (line: number, problem: string) => problems.push({ file: "txt", line, column: 1, problem });
  if (content === undefined) note(1, 'the first line must be the subject: "Subject: …"');
  if (second.trim() !== "") note(2, "the line after the subject must be empty");
  const subject = content ?? "";
  return {
    subject: { file: "txt", content: subject, line: 1, column: first.length - subject.length + 1 },
    body: { file: "txt", content: lines.join("\n"), line: 3, column: 1 },
  };
}

function readPart<Tree extends TemplateTree>(
  part: Part,
  names: Omit<TemplateCheck, "problems" | "escapes">,
  parse: (text: string) => Tree,
  problems: MailProblem[],
): Tree | null {
  const found: TemplateProblem[] = [];
  const tree = parsed(part.content, parse, found);
  if (tree !== null) checkTemplate(tree, { ...names, escapes: part.file === "html", problems: found });
  problems.push(
    ...found.map(({ line, column, problem }) => ({
      file: part.file,
      line: line + part.line - 1,
      column: line === 1 ? column + part.column - 1 : column,
      problem,
    })),
  );
  return tree;
}

function parsed<Tree>(
  content: string,
  parse: (text: string) => Tree,
  problems: TemplateProblem[],
): Tree | null {
  try {
    return parse(content);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = / on line (\d+)/.exec(message)?.[1] ?? / - (\d+):\d+$/.exec(message)?.[1] ?? "1";
    const last = message.split("\n").at(-1) ?? message;
    const reason = last.endsWith("got 'EOF'") ? "a {{#if}} or {{#unless}} is not closed" : last;
    problems.push({ line: Number(line), column: 1, problem: `not a Handlebars template: ${reason}` });
    return null;
  }
}
