import { join } from "node:path";
import { type AccountMail, accountMails, mailOfFile } from "../../vocabulary/mail-files.ts";
import { type Config, ConfigError } from "../config/index.ts";
import { type CompiledMail, compileMail } from "./compiled-mail.ts";
import { defaultTemplates } from "./default-templates.ts";
import { type MailContent, oneLine } from "./mail.ts";
import { fillOwnMail } from "./own-mails.ts";
import { readTemplateFiles, requireTemplates, type TemplateFile } from "./template-files.ts";

export type MailName = AccountMail;

/** What a template of the accounts may name. */
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
  /** A mail of the accounts. */
  render(name: MailName, values: MailValues): MailContent;
  /** A mail of the app. Throws for a template that there is not, and for a value that is missing or is none. */
  renderOwn(template: string, data: unknown): MailContent;
}

/** The templates of a project, in `models/mails/`. Throws a ConfigError. */
export function mailTemplatesOf({ root }: Pick<Config, "root">): MailTemplates {
  return loadMailTemplates(join(root, "models", "mails"));
}

/** Throws a ConfigError where the templates of these mails are not in `models/mails/` of a project. */
export function requireMails({ root }: Pick<Config, "root">, names: readonly string[]): void {
  requireTemplates(join(root, "models", "mails"), names);
}

/** What a start in production should say of an app that has mails of its own and no provider; null where there is nothing to say. */
export function unsentMails(
  { production, email }: Pick<Config, "production" | "email">,
  names: readonly string[],
): string | null {
  if (!production || email.provider !== null || names.length === 0) return null;
  return `email.provider is not set: mail.send of ${names.join(", ")} fails with 503; put "email": { "provider": "smtp" } into models/manifest.json`;
}

type Files = ReadonlyMap<string, TemplateFile>;

/** Somebody who registers the address of another chooses this text: no link and no sentence gets through as a name. */
const longestName = 50;
const nameOfPerson = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\p{Zs}'’.\-\u200c\u200d]*$/u;
const dotInside = /\.[^\s.]/;

/**
 * The mails' templates: those of the app in `folder` (`models/mails`), the runtime's own for the accounts' where it has none.
 * Where the app has some, they are read and compiled once, at the start; else with the first mail. Throws a ConfigError that
 * names every problem with its file and line.
 */
export function loadMailTemplates(folder: string): MailTemplates {
  const problems: string[] = [];
  const files = readTemplateFiles(folder, problems);
  let accounts = files.size === 0 ? null : compileAccountMails(files, problems);
  const own = compileOwnMails(files, problems);
  if (problems.length > 0) throw new ConfigError(problems, []);
  return {
    render(name, values) {
      accounts ??= compileAccountMails(files, problems);
      return fill(accounts[name], values);
    },
    renderOwn: (template, data) => fillOwnMail(own, template, data),
  };
}

function compileAccountMails(files: Files, problems: string[]): Record<MailName, CompiledMail> {
  const compile = (name: MailName): CompiledMail => {
    const { text, html } = defaultTemplates[name];
    const txtFile = files.get(`${name}.txt`) ?? { label: `${name}.txt`, content: text };
    const htmlFile = files.get(`${name}.html`) ?? { label: `${name}.html`, content: html };
    return compileMail(name, { txt: txtFile, html: htmlFile }, problems);
  };
  return { "verify-email": compile("verify-email"), "reset-password": compile("reset-password") };
}

function compileOwnMails(files: Files, problems: string[]): ReadonlyMap<string, CompiledMail> {
  const mails = new Map<string, CompiledMail>();
  for (const [name, txt] of files) {
    const { mail = "", kind = null } = mailOfFile(name) ?? {};
    if (kind !== "txt" || accountMails.some((known) => known === mail)) continue;
    mails.set(mail, compileMail(mail, { txt, html: files.get(`${mail}.html`) ?? null }, problems));
  }
  return mails;
}

function fill(mail: CompiledMail, given: MailValues): MailContent {
  return mail.fill({
    service: oneLine(given.service),
    link: given.link,
    email: oneLine(given.email),
    first_name: given.first_name === null ? null : personName(given.first_name),
    expires_in: given.expires_in,
  });
}

/** The name as it may stand in a greeting; null when it does not look like a name. */
function personName(text: string): string | null {
  const name = oneLine(text);
  return name.length <= longestName && nameOfPerson.test(name) && !dotInside.test(name) ? name : null;
}
