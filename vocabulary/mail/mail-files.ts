// Templates in `models/mails/`: the generator types them, the runtime renders them.

import { editDistance, suggestion } from "../nearest.ts";

/** Mails of the accounts, which the service sends by itself. An app may replace their texts. */
export const accountMails = ["verify-email", "reset-password"] as const;

export type AccountMail = (typeof accountMails)[number];

/** The values that these templates can use. */
export const accountMailValues = ["service", "link", "email", "first_name", "expires_in"] as const;

export type MailFileKind = "txt" | "html";

/** A file in the folder that is not a template, and why: a sentence without its subject. */
export interface StrayMailFile {
  readonly name: string;
  readonly problem: string;
}

/** So many letters from the name of a mail of the accounts are a slip, which would have the service send its own text. */
const maxTypos = 2;
const fileName = /^(.*)\.(txt|html)$/s;
const mailName = /^[a-z][a-z0-9_-]{0,62}$/;

/** The mail of a template file; null for other files. */
export function mailOfFile(name: string): { readonly mail: string; readonly kind: MailFileKind } | null {
  const [, mail = "", kind = ""] = fileName.exec(name) ?? [];
  return mailName.test(mail) ? { mail, kind: kind === "txt" ? "txt" : "html" } : null;
}

/** Names of files in order, without what editors and file managers leave. */
export function mailFileNames(names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith(".")).sort();
}

/** Files that are not templates, or only half of one. */
export function strayMailFiles(names: readonly string[]): StrayMailFile[] {
  const present = new Set(names);
  return names.flatMap((name) => {
    const problem = problemOf(name, present);
    return problem === null ? [] : [{ name, problem }];
  });
}

function problemOf(name: string, present: ReadonlySet<string>): string | null {
  const file = mailOfFile(name);
  if (file === null)
    return "is not a template: the name of one has lower-case letters, digits, - and _, and ends in .txt or .html";
  const { mail, kind } = file;
  if (isAccountMail(mail)) return null;
  if (accountMails.some((known) => editDistance(mail, known) <= maxTypos))
    return `is not a template of a mail of the accounts${suggestion(mail, accountMails)}`;
  if (kind === "html" && !present.has(`${mail}.txt`))
    return `has no ${mail}.txt next to it, which holds the subject and the plain text`;
  return null;
}

/** Whether it is one of the service's own mails. */
export function isAccountMail(mail: string): mail is AccountMail {
  return accountMails.some((known) => known === mail);
}
