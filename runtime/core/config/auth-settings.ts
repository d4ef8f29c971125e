import type { Manifest } from "./manifest.ts";

/** The section `auth` of the manifest (contract: "Token lifetimes", "Auth cookie", "Passwords"). */
export interface AuthSettings {
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly passwordComplexity: boolean;
  /** Two to the power of it are the rounds of a hash. */
  readonly bcryptCost: number;
  readonly emailVerificationRequired: boolean;
  /** The page that a reset link opens; it may have a query. */
  readonly forgotPasswordPageUrl: string;
  /** Null: the access token is in no cookie. */
  readonly cookieName: string | null;
  /** Null: the host that answered, alone. */
  readonly cookieDomain: string | null;
}

/** Settles lifetimes and the address of the reset page, which follows `auth_prefix`. */
export function authSettings({ auth, auth_prefix: prefix }: Manifest, baseUrl: string): AuthSettings {
  const minutes = auth.access_token_expire_minutes ?? auth.access_token_expire_hours * 60;
  return {
    accessTokenSeconds: minutes * 60,
    refreshTokenSeconds: auth.refresh_token_expire_days * 24 * 60 * 60,
    passwordComplexity: auth.password_complexity,
    bcryptCost: auth.bcrypt_cost,
    emailVerificationRequired: auth.email_verification_required,
    forgotPasswordPageUrl: auth.forgot_password_page_url ?? `${baseUrl}${prefix}/forgot-password`,
    cookieName: auth.cookie_name ?? null,
    cookieDomain: auth.cookie_domain ?? null,
  };
}
