import { accountRoutes as rows, signInPath } from "../../../../../vocabulary/built-in-routes.ts";
import { body, noBody } from "../account-body.ts";
import {
  type AccountRoute,
  administrators,
  anybody,
  browser,
  json,
  page,
  type ServeRoute,
  signedIn,
  whoever,
} from "../account-route.ts";
import { createApiKey, createApiKeyBody } from "./api-keys/create.ts";
import { listOwnApiKeys } from "./api-keys/list.ts";
import { revokeApiKey, revokeApiKeyBody } from "./api-keys/revoke.ts";
import { changePassword, changePasswordBody } from "./change-password.ts";
import { disableMfa, disableMfaBody } from "./disable-mfa.ts";
import { forgotPassword } from "./forgot-password.ts";
import { generateVerificationLink, generateVerificationLinkBody } from "./generate-verification-link.ts";
import { login, loginBody } from "./login.ts";
import { logout, logoutBody } from "./logout.ts";
import { me } from "./me.ts";
import { refreshToken, refreshTokenBody } from "./refresh-token.ts";
import { register, registerBody } from "./register.ts";
import { requestOtp, requestOtpBody } from "./request-otp.ts";
import { requestResetPassword, requestResetPasswordBody } from "./request-reset-password.ts";
import { requestVerification, requestVerificationBody } from "./request-verification.ts";
import { resetPassword, resetPasswordBody } from "./reset-password.ts";
import { setupMfa } from "./setup-mfa.ts";
import { signIn } from "./sign-in.ts";
import { socialCallback, socialFormCallback } from "./social/callback.ts";
import { socialLogin } from "./social/login.ts";
import { socialMobile, socialMobileBody } from "./social/mobile.ts";
import { listProviders } from "./social/providers.ts";
import { verifyWebAuth, verifyWebAuthBody } from "./social/verify-web-auth.ts";
import { verifyEmail } from "./verify-email.ts";
import { verifyMfa, verifyMfaBody } from "./verify-mfa.ts";
import { verifyOtp, verifyOtpBody } from "./verify-otp.ts";

type Row = (typeof rows)[number];
type NameOf<Each extends Row> = Each extends Row ? `${Each["method"]} ${Each["path"]}` : never;

/** What happens to a request of each route, by the route's row. A row without handlers, or handlers without a row, do not compile. */
const handlers: Readonly<Record<NameOf<Row>, ServeRoute>> = {
  "POST /register": json(anybody, registerBody, register),
  "POST /login": json(anybody, loginBody, login),
  "POST /refresh-token": json(anybody, refreshTokenBody, refreshToken),
  "POST /logout": json(whoever, logoutBody, logout),
  "GET /me": json(signedIn, noBody, me),
  "POST /get-current-user": json(signedIn, body({}), me),
  "POST /change-password": json(signedIn, changePasswordBody, changePassword),
  "POST /request-verification": json(anybody, requestVerificationBody, requestVerification),
  "POST /request-reset-password": json(anybody, requestResetPasswordBody, requestResetPassword),
  "POST /reset-password": json(anybody, resetPasswordBody, resetPassword),
  "GET /forgot-password": page(anybody, forgotPassword),
  "GET /verify-email": page(anybody, verifyEmail),
  "POST /generate-verification-link": json(
    administrators,
    generateVerificationLinkBody,
    generateVerificationLink,
  ),
  "POST /api-keys/create": json(signedIn, createApiKeyBody, createApiKey),
  "GET /api-keys/list": json(signedIn, noBody, listOwnApiKeys),
  "DELETE /api-keys/revoke": json(signedIn, revokeApiKeyBody, revokeApiKey),
  "POST /request-otp": json(anybody, requestOtpBody, requestOtp),
  "POST /verify-otp": json(anybody, verifyOtpBody, verifyOtp),
  "POST /setup-mfa": json(signedIn, body({}), setupMfa),
  "POST /verify-mfa": json(signedIn, verifyMfaBody, verifyMfa),
  "POST /disable-mfa": json(signedIn, disableMfaBody, disableMfa),
  [`GET ${signInPath}`]: page(anybody, signIn),
  "GET /providers": json(anybody, noBody, listProviders),
  "GET /{provider}/login": browser(anybody, socialLogin),
  "GET /{provider}/callback": browser(anybody, socialCallback),
  "POST /{provider}/callback": browser(anybody, socialFormCallback),
  "POST /apple/callback": browser(anybody, socialFormCallback),
  "POST /{provider}/mobile": json(anybody, socialMobileBody, socialMobile),
  "POST /verify-web-auth": json(anybody, verifyWebAuthBody, verifyWebAuth),
};

const byName = new Map(Object.entries(handlers));

/** The routes below `auth_prefix`: docs/auth.md. */
export const accountRoutes: readonly AccountRoute[] = rows.map((row) => {
  const serve = byName.get(`${row.method} ${row.path}`);
  if (serve === undefined) throw new Error(`${row.path} has no handler`);
  return { ...row, serve };
});
