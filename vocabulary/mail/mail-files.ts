// Templates in `models/mails/`: the generator types them, the runtime renders them.

import { editDistance, suggestion } from "../nearest.ts";

const valuesOfLinks = ["service", "link", "email", "first_name", "expires_in"] as const;
const valuesOfNotices = ["service", "what", "email", "first_name", "time", "device", "reply_to"] as const;

/** The values that templates of the account routes can use, by mail. An app can replace the texts. */
export const accountMailValues = {
  "verify-email": valuesOfLinks,
  "reset-password": valuesOfLinks,
  "change-email": valuesOfLinks,
  invitation: valuesOfLinks,
  "change-email-taken": ["service", "email", "first_name"],
  "email-changed": valuesOfNotices,
  "account-notice": valuesOfNotices,
  "email-code": ["service", "code", "email", "first_name", "expires_in"],
  "account-deleted": valuesOfNotices,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AccountMail = keyof typeof accountMailValues;

/** Mails of the account routes. */
export const accountMails: readonly AccountMail[] = Object.keys(accountMailValues).filter(isAccountMail);

export type MailFileKind = "txt" | "html";

/** A file in the folder that is not a template. `problem` is a sentence without its subject. */
export interface StrayMailFile {
  readonly name: string;
  readonly problem: string;
}

/**
 * Maximum typos of a name that counts as a misspelt account mail, for which the service would send its own
 * text.
 */
const maxTypos = 2;
const fileName = /^(.*)\.(txt|html)$/s;
const mailName = /^[a-z][a-z0-9_-]{0,62}$/;

/** The mail of a template file; null for other files. */
export function mailOfFile(name: string): { readonly mail: string; readonly kind: MailFileKind } | null {
  const [, mail = "", kind = ""] = fileName.exec(name) ?? [];
  return mailName.test(mail) ? { mail, kind: kind === "txt" ? "txt" : "html" } : null;
}

/** Sorted names of files, without hidden files of editors and file managers. */
export function mailFileNames(names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith(".")).sort();
}

/** Files that are not templates, or HTML templates without their text file. */
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
    return "is not a template: names have lower-case letters, digits, - and _, and end in .txt or .html";
  const { mail, kind } = file;
  if (isAccountMail(mail)) return null;
  if (accountMails.some((known) => editDistance(mail, known) <= maxTypos))
    return `is not the name of an account mail${suggestion(mail, accountMails)}`;
  if (kind === "html" && !present.has(`${mail}.txt`))
    return `needs ${mail}.txt next to it, with the subject and the plain text`;
  return null;
}

/** Whether account routes send a mail of this name. */
export function isAccountMail(mail: string): mail is AccountMail {
  return Object.hasOwn(accountMailValues, mail);
}
