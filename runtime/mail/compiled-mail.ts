import { readMail } from "../../vocabulary/read-mail.ts";
import { type MailContent, oneLine } from "./mail.ts";
import type { TemplateFile } from "./template-files.ts";
import { compileTemplate, parseTemplate, type TemplateValues } from "./template-language.ts";

/** The files of a mail. */
export interface MailFiles {
  readonly txt: TemplateFile;
  /** Null: the mail is plain text. */
  readonly html: TemplateFile | null;
}

/** A mail whose templates were checked. */
export interface CompiledMail {
  /** Names of values that must be given, and of those that a condition asks about and that may be missing. */
  readonly needed: readonly string[];
  readonly optional: readonly string[];
  /** `values` have all of these names. */
  fill(values: TemplateValues): MailContent;
}

/** Compiles a mail. Adds to `problems`, each with its file and line; what is made where there are some is not to be used. */
export function compileMail(mail: string, { txt, html }: MailFiles, problems: string[]): CompiledMail {
  const texts = { txt: txt.content, html: html?.content ?? null };
  const { problems: found, needed, optional, ...trees } = readMail(mail, texts, parseTemplate);
  for (const { file, line, problem } of found)
    problems.push(`${(file === "html" && html !== null ? html : txt).label}:${line}: ${problem}`);
  const part = (tree: typeof trees.text, escapes: boolean) =>
    tree === null ? null : compileTemplate(tree, { escapes });
  const [subject, text, page] = [part(trees.subject, false), part(trees.text, false), part(trees.html, true)];
  return {
    needed,
    optional,
    fill: (values) => ({
      subject: oneLine(subject?.(values) ?? ""),
      text: text?.(values) ?? "",
      html: page?.(values) ?? null,
    }),
  };
}
