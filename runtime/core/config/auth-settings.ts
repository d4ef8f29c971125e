import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SelfServicePart } from "../../../vocabulary/account-features.ts";
import { type PasskeySite, passkeySectionOf, passkeySite } from "../../../vocabulary/passkeys.ts";
import type { Manifest } from "./manifest.ts";

/** The section `auth` of the manifest. */
export interface AuthSettings {
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly passwordComplexity: boolean;
  /** Whether passwords that many people use are refused. */
  readonly refuseCommonPasswords: boolean;
  /** bcrypt's cost: a hash takes 2^cost rounds. */
  readonly bcryptCost: number;
  readonly emailVerificationRequired: boolean;
  /** The page that a reset link opens. It can have a query. */
  readonly forgotPasswordPageUrl: string;
  /** The page that a link for a new e-mail address opens. It can have a query. */
  readonly changeEmailPageUrl: string;
  /** Whether users can create accounts of their own. */
  readonly registration: boolean;
  /** Whether mails tell users about changes of their ways to sign in. */
  readonly securityNotices: boolean;
  /** Whether administrators manage accounts by routes. */
  readonly administration: boolean;
  readonly invitationDays: number;
  /** The page that the link of an invitation opens. It can have a query. */
  readonly invitationPageUrl: string;
  readonly selfService: readonly SelfServicePart[];
  /** Whether users can sign in with a code that is mailed to them. */
  readonly emailCodes: boolean;
  /** Null: users have no passkeys. */
  readonly passkeys: PasskeySite | null;
  /** How long a session counts as a recent sign-in. */
  readonly recentSeconds: number;
  /** From the sign-in. Null: no limit. */
  readonly longestSessionSeconds: number | null;
  readonly storesSessionAddresses: boolean;
  /** Null: no cookie has the access token. */
  readonly cookieName: string | null;
  /** Null: no cookie has the refresh token. */
  readonly refreshCookieName: string | null;
  /** Null: only the host of the response. */
  readonly cookieDomain: string | null;
}

const secondsOfDay = 24 * 60 * 60;

export function authSettings({ auth, auth_prefix: prefix, name }: Manifest, baseUrl: string): AuthSettings {
  const passkeys = passkeySectionOf(auth.passkeys);
  const minutes = auth.access_token_expire_minutes ?? auth.access_token_expire_hours * 60;
  return {
    accessTokenSeconds: minutes * 60,
    refreshTokenSeconds: auth.refresh_token_expire_days * secondsOfDay,
    passwordComplexity: auth.password_complexity,
    refuseCommonPasswords: auth.refuse_common_passwords,
    bcryptCost: auth.bcrypt_cost,
    emailVerificationRequired: auth.email_verification_required,
    forgotPasswordPageUrl: auth.forgot_password_page_url ?? `${baseUrl}${prefix}/forgot-password`,
    changeEmailPageUrl: auth.change_email_page_url ?? `${baseUrl}${prefix}/change-email`,
    registration: auth.registration,
    securityNotices: auth.security_notices,
    administration: auth.administration,
    invitationDays: auth.invitation_days,
    invitationPageUrl: auth.invitation_page_url ?? `${baseUrl}${prefix}/accept-invitation`,
    selfService: auth.self_service,
    emailCodes: auth.email_codes,
    passkeys: passkeys === null ? null : passkeySite(passkeys, { name, baseUrl }),
    recentSeconds: auth.reauthentication_minutes * 60,
    longestSessionSeconds: auth.session_max_days === undefined ? null : auth.session_max_days * secondsOfDay,
    storesSessionAddresses: auth.session_addresses,
    cookieName: auth.cookie_name ?? null,
    refreshCookieName: auth.refresh_cookie_name ?? null,
    cookieDomain: auth.cookie_domain ?? null,
  };
}

/**
 * The JWT secret for development, in the file `var/kirak/jwt-secret`. Only the file's owner can read it. If
 * two processes start at the same time, both use the first one's.
 */
export function developmentSecret(root: string): string {
  const folder = join(root, "var", "kirak");
  const path = join(folder, "jwt-secret");
  const present = read(path);
  if (present !== null) return present;
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(48).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    // A link is created atomically and never replaces a file.
    linkSync(draft, path);
  } catch (error) {
    if (read(path) === null) throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, "utf8").trim();
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim() || null;
  } catch {
    return null;
  }
}
