import { ConfigError } from "../config/index.ts";
import { defaultTemplates } from "./default-templates.ts";
import { type Mail, oneLine } from "./mail.ts";
import { readTemplateFiles, type TemplateFile } from "./template-files.ts";
import { compileTemplate, type TemplateValues } from "./template-language.ts";

export type MailName = keyof typeof defaultTemplates;

/** What a template may name. */
export interface MailValues {
  /** The service's name. */
  readonly service: string;
  readonly link: string;
  readonly email: string;
  readonly first_name: string | null;
  /** How long the link works, in words: `24 hours`. */
  readonly expires_in: string;
}

export interface MailTemplates {
  render(name: MailName, values: MailValues): Omit<Mail, "to">;
}

interface Compiled {
  readonly subject: (values: TemplateValues) => string;
  readonly text: (values: TemplateValues) => string;
  readonly html: (values: TemplateValues) => string;
}

/** Somebody who registers the address of another chooses this text: no link and no sentence gets through as a name. */
const longestName = 50;
const nameOfPerson = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\p{Zs}'’.\-\u200c\u200d]*$/u;
const dotInside = /\.[^\s.]/;

/**
 * The mails' templates: those of the app in `folder` (`models/mails`), the runtime's own for the rest. Where the app has some,
 * they are read and compiled once, at the start; else with the first mail. Throws a ConfigError that names every problem with
 * its file and line.
 */
export function loadMailTemplates(folder: string): MailTemplates {
  const problems: string[] = [];
  const files = readTemplateFiles(folder, Object.keys(defaultTemplates), problems);
  let compiled = files.size === 0 ? null : compileAll(files, problems);
  if (problems.length > 0) throw new ConfigError(problems, []);
  return {
    render(name, values) {
      compiled ??= compileAll(files, problems);
      return render(compiled[name], values);
    },
  };
}

function compileAll(
  files: ReadonlyMap<string, TemplateFile>,
  problems: string[],
): Record<MailName, Compiled> {
  const compile = (name: MailName): Compiled => {
    const own = defaultTemplates[name];
    const text = splitSubject(
      files.get(`${name}.txt`) ?? { label: `${name}.txt`, content: own.text },
      problems,
    );
    const html = files.get(`${name}.html`) ?? { label: `${name}.html`, content: own.html };
    return {
      subject: compileTemplate({ ...text, content: text.subject, line: 1, escape: false }, problems),
      text: compileTemplate({ ...text, escape: false }, problems),
      html: compileTemplate({ ...html, line: 1, escape: true }, problems),
    };
  };
  return { "verify-email": compile("verify-email"), "reset-password": compile("reset-password") };
}

function render({ subject, text, html }: Compiled, given: MailValues): Omit<Mail, "to"> {
  const values = {
    service: oneLine(given.service),
    link: given.link,
    email: oneLine(given.email),
    first_name: given.first_name === null ? null : personName(given.first_name),
    expires_in: given.expires_in,
  };
  return { subject: oneLine(subject(values)), text: text(values), html: html(values) };
}

/** The name as it may stand in a greeting; null when it does not look like a name. */
function personName(text: string): string | null {
  const name = oneLine(text);
  return name.length <= longestName && nameOfPerson.test(name) && !dotInside.test(name) ? name : null;
}

interface TextTemplate {
  readonly label: string;
  readonly subject: string;
  readonly content: string;
  /** Where the body begins. */
  readonly line: number;
}

/** The first line of a text file is its subject, then comes an empty one. */
function splitSubject(
  file: { readonly label: string; readonly content: string },
  problems: string[],
): TextTemplate {
  const [first = "", second = "", ...body] = file.content.split("\n");
  const subject = /^Subject:[ \t]*(\S.*)$/.exec(first)?.[1];
  if (subject === undefined)
    problems.push(`${file.label}:1: the first line must be the subject: "Subject: …"`);
  if (second.trim() !== "") problems.push(`${file.label}:2: the line after the subject must be empty`);
  return { label: file.label, subject: subject ?? "", content: body.join("\n"), line: 3 };
}
