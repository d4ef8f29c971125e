import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import {
  type AccountMail,
  accountMails,
  type accountMailValues,
  isAccountMail,
  mailFileNames,
  mailOfFile,
  strayMailFiles,
} from "../../../vocabulary/mail/mail-files.ts";
import { readMail } from "../../../vocabulary/mail/read-mail.ts";
import { suggestion } from "../../../vocabulary/nearest.ts";
import { type Config, ConfigError } from "../../core/config/index.ts";
import { defaultTemplates } from "./default-templates.ts";
import { type MailContent, oneLine } from "./mailer.ts";

const require = createRequire(import.meta.url);
/** Loaded with the first template of an app, or the first mail. */
const handlebars = (): typeof import("handlebars") => require("handlebars");

type TemplateValue = string | number | bigint | boolean;

/** The values that a template names. */
type TemplateValues = Readonly<Record<string, TemplateValue | null>>;

/** Parses a template. Throws Handlebars' parse errors. */
function parseTemplate(text: string): hbs.AST.Program {
  return handlebars().parse(text);
}

/** Compiles a checked tree: it holds only values, `if` and `unless`. */
function compileTemplate(
  tree: hbs.AST.Program,
  { escapes }: { readonly escapes: boolean },
): (values: TemplateValues) => string {
  const fill = handlebars().compile<TemplateValues>(tree, {
    strict: true,
    noEscape: !escapes,
    knownHelpersOnly: true,
  });
  return (values) => fill(values);
}

interface TemplateFile {
  /** The path as messages name it. */
  readonly label: string;
  /** With LF at the end of lines. */
  readonly content: string;
}

/** The templates of a folder by file name. Adds each file that is not a template to `problems`. */
function readTemplateFiles(folder: string, problems: string[]): ReadonlyMap<string, TemplateFile> {
  const names = mailFileNames(existsSync(folder) ? readdirSync(folder) : []);
  const strays = new Map(strayMailFiles(names).map(({ name, problem }) => [name, problem]));
  const files = new Map<string, TemplateFile>();
  for (const name of names) {
    const label = join(basename(dirname(folder)), basename(folder), name);
    const problem = strays.get(name);
    if (problem !== undefined) problems.push(`${label} ${problem}`);
    else readTemplate(join(folder, name), label, problems, (content) => files.set(name, { label, content }));
  }
  return files;
}

/** Throws a ConfigError that names missing templates, such as in an incomplete container. */
function requireTemplates(folder: string, names: readonly string[]): void {
  const missing = names.filter((name) => !existsSync(join(folder, `${name}.txt`)));
  const place = join(basename(dirname(folder)), basename(folder));
  const problems = missing.map(
    (name) =>
      `${join(place, `${name}.txt`)} is missing: code of this service can send that mail; copy ${place}/ too, or run npm run generate`,
  );
  if (problems.length > 0) throw new ConfigError(problems, []);
}

function readTemplate(
  path: string,
  label: string,
  problems: string[],
  take: (content: string) => void,
): void {
  try {
    // Drops a byte order mark, and throws on invalid UTF-8.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    take(text.replaceAll("\r\n", "\n"));
  } catch (error) {
    const reason = error instanceof TypeError ? "it is not UTF-8" : "it cannot be opened";
    problems.push(`${label} cannot be read: ${reason}`);
  }
}

/** The files of a mail. */
interface MailFiles {
  readonly txt: TemplateFile;
  /** Null: the mail is plain text. */
  readonly html: TemplateFile | null;
}

/** A mail whose templates were checked. */
interface CompiledMail {
  /** Names of required values, and names of values that only conditions test, which can be missing. */
  readonly needed: readonly string[];
  readonly optional: readonly string[];
  /** `values` have all of these names. */
  fill(values: TemplateValues): MailContent;
}

/** Compiles a mail. Adds problems with file and line; with problems, the result is unusable. */
function compileMail(mail: string, { txt, html }: MailFiles, problems: string[]): CompiledMail {
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

/** Renders a template of the app. Throws for an unknown template and a missing or invalid value. */
function fillAppMail(mails: ReadonlyMap<string, CompiledMail>, template: string, data: unknown): MailContent {
  const mail = mails.get(template);
  if (mail === undefined)
    throw new Error(`there is no models/mails/${template}.txt${suggestion(template, mails.keys())}`);
  return mail.fill(valuesOf(mail, template, data));
}

/** The own properties of `data` that the template names. Throws for a missing or invalid value. */
function valuesOf({ needed, optional }: CompiledMail, template: string, data: unknown): TemplateValues {
  const given: Readonly<Record<string, unknown>> = Object(data);
  const of = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined);
  const missing = needed.filter((name) => (of(name) ?? null) === null);
  if (missing.length > 0)
    throw new Error(
      `the mail ${template} needs a value for ${missing.map((name) => `"${name}"`).join(", ")}`,
    );
  const values: Record<string, TemplateValue | null> = Object.create(null);
  for (const name of [...needed, ...optional]) values[name] = checkedValue(template, name, of(name) ?? null);
  return values;
}

function checkedValue(template: string, name: string, value: unknown): TemplateValue | null {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "bigint")
    return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Error(`the value "${name}" of the mail ${template} must be a string, a number or a boolean`);
}

export type MailName = AccountMail;

/** The values that a mail of the accounts can use (docs/mail.md#templates). */
export type MailValues<Name extends MailName> = {
  readonly [Value in (typeof accountMailValues)[Name][number]]: Value extends "first_name" | "reply_to"
    ? string | null
    : string;
};

export interface MailTemplates {
  /** A mail of the accounts. */
  render<Name extends MailName>(name: Name, values: MailValues<NoInfer<Name>>): MailContent;
  /** A mail of the app. Throws for an unknown template and a missing or invalid value. */
  renderAppMail(template: string, data: unknown): MailContent;
}

/** The templates of a project, in `models/mails/`. Throws a ConfigError. */
export function mailTemplatesOf({ root }: Pick<Config, "root">): MailTemplates {
  return loadMailTemplates(join(root, "models", "mails"));
}

/** Throws a ConfigError if `models/mails/` of the project lacks a template of these mails. */
export function requireMails({ root }: Pick<Config, "root">, names: readonly string[]): void {
  requireTemplates(join(root, "models", "mails"), names);
}

/** Warning for production about mails without a provider; null if none is needed. */
export function unsentMails(
  { production, email }: Pick<Config, "production" | "email">,
  names: readonly string[],
): string | null {
  if (!production || email.provider !== null || names.length === 0) return null;
  return `email.provider is not set: mail.send of ${names.join(", ")} fails with 503; put "email": { "provider": "smtp" } into models/manifest.json`;
}

type Files = ReadonlyMap<string, TemplateFile>;

/** Users choose this text, for other people's addresses too: it must not contain links or sentences. */
const longestName = 50;
const nameOfPerson = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\p{Zs}'’.\-\u200c\u200d]*$/u;
const dotInside = /\.[^\s.]/;

/** Loads the app's templates, else Kirak's. Throws a ConfigError with all problems by file and line. */
export function loadMailTemplates(folder: string): MailTemplates {
  const problems: string[] = [];
  const files = readTemplateFiles(folder, problems);
  const ofAccounts = accountMailsOf(files, problems);
  const own = compileOwnMails(files, problems);
  if (problems.length > 0) throw new ConfigError(problems, []);
  return {
    render: (name, values) => fill(ofAccounts(name), values),
    renderAppMail: (template, data) => fillAppMail(own, template, data),
  };
}

/** Compiles the mails that the app replaces, and each other mail when it is needed. */
function accountMailsOf(files: Files, problems: string[]): (name: MailName) => CompiledMail {
  const compiled = new Map<MailName, CompiledMail>();
  const compile = (name: MailName): CompiledMail => {
    const { text, html } = defaultTemplates[name];
    const txtFile = files.get(`${name}.txt`) ?? { label: `${name}.txt`, content: text };
    const htmlFile = files.get(`${name}.html`) ?? { label: `${name}.html`, content: html };
    const mail = compileMail(name, { txt: txtFile, html: htmlFile }, problems);
    compiled.set(name, mail);
    return mail;
  };
  const ofName = (name: MailName) => compiled.get(name) ?? compile(name);
  for (const name of accountMails) if (files.has(`${name}.txt`) || files.has(`${name}.html`)) ofName(name);
  return ofName;
}

function compileOwnMails(files: Files, problems: string[]): ReadonlyMap<string, CompiledMail> {
  const mails = new Map<string, CompiledMail>();
  for (const [name, txt] of files) {
    const { mail = "", kind = null } = mailOfFile(name) ?? {};
    if (kind !== "txt" || isAccountMail(mail)) continue;
    mails.set(mail, compileMail(mail, { txt, html: files.get(`${mail}.html`) ?? null }, problems));
  }
  return mails;
}

function fill(mail: CompiledMail, given: Readonly<Record<string, string | null>>): MailContent {
  const shown = ([name, value]: [string, string | null]) => {
    if (value === null) return [name, null];
    return [name, name === "first_name" ? personName(value) : oneLine(value)];
  };
  return mail.fill(Object.fromEntries(Object.entries(given).map(shown)));
}

/** The name for a greeting; null if it does not look like a name. */
function personName(text: string): string | null {
  const name = oneLine(text);
  return name.length <= longestName && nameOfPerson.test(name) && !dotInside.test(name) ? name : null;
}
