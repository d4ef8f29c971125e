import type { Templates, UserPaths } from "../../../../../vocabulary/social/provider.ts";
import { canonicalEmail } from "../../../mail/index.ts";
import { type Document, member, scalar } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import { type Answers, readPath } from "./paths.ts";

/** The user who signed in, according to the provider. */
export interface SocialIdentity {
  /** An id that stays the same when the person changes names. */
  readonly uid: string;
  /** Canonical; null if the provider gives no usable address. */
  readonly email: string | null;
  /** Whether the provider states that the address is the person's own. */
  readonly emailVerified: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** As long as the columns are. */
const longest = 255;

/** The paths of a provider to the user's data. */
interface Source {
  readonly row: { readonly user: UserPaths; readonly trustedAt?: Templates };
  readonly text: (setting: string) => string | null;
}

/** Finds the user's identity in the answers. Errors: `SocialFailure` if there is no id. */
export function identityOf(source: Source, answers: Answers): SocialIdentity {
  const paths = pathsOf(source);
  const read = (path: string | undefined) => (path === undefined ? null : readPath(path, answers));
  const uid = readPath(paths.uid, answers, textOrNull);
  if (uid === null || uid.length > longest || !uid.isWellFormed() || /\p{Cc}/u.test(uid))
    throw new SocialFailure("the provider did not say who signed in");
  const email = read(paths.email);
  const canonical = email === null ? null : canonicalEmail(email);
  return {
    uid,
    email: canonical,
    emailVerified: canonical !== null && isTrusted(source) && isVerified(paths, answers),
    ...nameOf(read(paths.firstName), read(paths.lastName), read(paths.fullName)),
  };
}

/** A uid must be a text or a number: with `true`, two users would share one account. */
function textOrNull(value: Document): string | null {
  return typeof value === "boolean" ? null : scalar(value);
}

/** The paths of claims, after the settings. `email_verified` does not confirm a custom e-mail claim. */
function pathsOf(source: Source): UserPaths {
  const { user } = source.row;
  const set = {
    email: source.text("email_key"),
    firstName: source.text("first_name_key"),
    lastName: source.text("last_name_key"),
    fullName: source.text("fullname_key"),
  };
  const named = Object.fromEntries(Object.entries(set).filter(([, path]) => path !== null));
  const { emailVerified, ...unconfirmed } = user;
  return set.email === null || set.email === user.email
    ? { ...user, ...named }
    : { ...unconfirmed, ...named };
}

/** Whether the provider is where the row trusts it to confirm addresses. */
function isTrusted({ row, text }: Source): boolean {
  return Object.entries(row.trustedAt ?? {}).every(
    ([setting, address]) => text(setting)?.replace(/\/+$/, "") === address,
  );
}

function isVerified(paths: UserPaths, answers: Answers): boolean {
  const { emailVerified, emailVerifiedBy = "flag", emailVerifiedIf = {} } = paths;
  const told = emailVerified === undefined ? null : readPath(emailVerified, answers);
  if (told === null) return false;
  if (!Object.entries(emailVerifiedIf).every(([path, wanted]) => readPath(path, answers) === wanted))
    return false;
  switch (emailVerifiedBy) {
    case "flag":
      return told === "true";
    case "number":
      return told === "1";
    case "moment":
      return !Number.isNaN(Date.parse(told));
  }
}

/** Without first and last name a full name is split at its first blank. */
function nameOf(
  first: string | null,
  last: string | null,
  full: string | null,
): Pick<SocialIdentity, "firstName" | "lastName"> {
  if (first !== null || last !== null) return { firstName: tidy(first), lastName: tidy(last) };
  const [, before, after] = /^(\S+)\s+(.+)$/s.exec(full?.trim() ?? "") ?? [];
  return { firstName: tidy(before ?? full), lastName: tidy(after ?? null) };
}

/** A name as it fits into the row; null for an empty one. */
export function tidy(name: string | null): string | null {
  const text = (name ?? "")
    .replace(/\p{Cc}+/gu, " ")
    .toWellFormed()
    .trim();
  return text === "" ? null : [...text].slice(0, longest).join("");
}

/**
 * The stored data of a sign-in: the provider's answers, and the browser's parameters that identify the user.
 * Codes are used up, and a state holds the device's token, which must not be stored.
 */
export function storedAnswers(user: UserPaths, { form, ...said }: Answers): Answers {
  const names = [...JSON.stringify(user).matchAll(/form:(\w+)/g)].flatMap(([, name = ""]) => name);
  if (names.length === 0) return said;
  return { ...said, form: Object.fromEntries(names.map((name) => [name, member(form, name)])) };
}
