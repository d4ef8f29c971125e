import type { Templates, UserPaths } from "../../../../../vocabulary/social/provider.ts";
import { canonicalEmail } from "../../../mail/index.ts";
import { type Document, member, scalar } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import { type Answers, readPath } from "./paths.ts";

/** The user who signed in, according to the provider. */
export interface SocialIdentity {
  /** The user's id at the provider. It stays the same if the user changes names. */
  readonly uid: string;
  /** Canonical; null if the provider gives no usable address. */
  readonly email: string | null;
  /** Whether the provider confirms that the address is the user's. */
  readonly emailVerified: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** The length of the columns, in characters. */
const longest = 255;

/** The parts of `Provider` that have the paths of the user's data. */
interface Source {
  readonly row: { readonly user: UserPaths; readonly trustedAt?: Templates };
  readonly text: (setting: string) => string | null;
}

/** Returns the user's identity. Errors: `SocialFailure` if the responses have no valid id. */
export function identityOf(source: Source, answers: Answers): SocialIdentity {
  const paths = pathsOf(source);
  const read = (path: string | undefined) => (path === undefined ? null : readPath(path, answers));
  const uid = readPath(paths.uid, answers, textOrNull);
  if (uid === null || uid.length > longest || !uid.isWellFormed() || /\p{Cc}/u.test(uid))
    throw new SocialFailure("the provider sent no valid user id");
  const email = read(paths.email);
  const canonical = email === null ? null : canonicalEmail(email);
  return {
    uid,
    email: canonical,
    emailVerified: canonical !== null && isTrusted(source) && isVerified(paths, answers),
    ...nameOf(read(paths.firstName), read(paths.lastName), read(paths.fullName)),
  };
}

/** A uid must be a string or a number: with `true`, two users would share one account. */
function textOrNull(value: Document): string | null {
  return typeof value === "boolean" ? null : scalar(value);
}

/** Settings replace paths of the row. The row's `emailVerified` does not confirm a custom e-mail claim. */
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

/** Whether the settings name the server whose confirmed addresses the row trusts. */
function isTrusted({ row, text }: Source): boolean {
  return Object.entries(row.trustedAt ?? {}).every(
    ([setting, address]) => text(setting)?.replace(/\/+$/, "") === address,
  );
}

function isVerified(paths: UserPaths, answers: Answers): boolean {
  const { emailVerified, emailVerifiedBy = "flag", emailVerifiedIf = {} } = paths;
  const confirmation = emailVerified === undefined ? null : readPath(emailVerified, answers);
  if (confirmation === null) return false;
  if (!Object.entries(emailVerifiedIf).every(([path, wanted]) => readPath(path, answers) === wanted))
    return false;
  switch (emailVerifiedBy) {
    case "flag":
      return confirmation === "true";
    case "number":
      return confirmation === "1";
    case "moment":
      return !Number.isNaN(Date.parse(confirmation));
  }
}

/** Splits the full name at its first blank, if there is no first and no last name. */
function nameOf(
  first: string | null,
  last: string | null,
  full: string | null,
): Pick<SocialIdentity, "firstName" | "lastName"> {
  if (first !== null || last !== null) return { firstName: tidy(first), lastName: tidy(last) };
  const [, before, after] = /^(\S+)\s+(.+)$/s.exec(full?.trim() ?? "") ?? [];
  return { firstName: tidy(before ?? full), lastName: tidy(after ?? null) };
}

/** Returns a name without control characters, cut to the length of its column; null if it is empty. */
export function tidy(name: string | null): string | null {
  const text = (name ?? "")
    .replace(/\p{Cc}+/gu, " ")
    .toWellFormed()
    .trim();
  return text === "" ? null : [...text].slice(0, longest).join("");
}

/**
 * Returns the data to store: the provider's responses, and the callback's parameters that identify the user.
 * Others are not stored: a code is used up, and the state contains the device token.
 */
export function storedAnswers(user: UserPaths, { form, ...answers }: Answers): Answers {
  const names = [...JSON.stringify(user).matchAll(/form:(\w+)/g)].flatMap(([, name = ""]) => name);
  if (names.length === 0) return answers;
  return { ...answers, form: Object.fromEntries(names.map((name) => [name, member(form, name)])) };
}
