import { accountRoutes as rows } from "../../../../../vocabulary/built-in-routes.ts";
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

/** The handler of each route, by the name of its row. A row without a handler, or a handler without a row, does not compile. */
const handlers: Readonly<Record<(typeof rows)[number]["name"], ServeRoute>> = {
  register: json(anybody, registerBody, register),
  login: json(anybody, loginBody, login),
  refreshToken: json(anybody, refreshTokenBody, refreshToken),
  logout: json(whoever, logoutBody, logout),
  me: json(signedIn, noBody, me),
  getCurrentUser: json(signedIn, body({}), me),
  changePassword: json(signedIn, changePasswordBody, changePassword),
  requestVerification: json(anybody, requestVerificationBody, requestVerification),
  requestResetPassword: json(anybody, requestResetPasswordBody, requestResetPassword),
  resetPassword: json(anybody, resetPasswordBody, resetPassword),
  forgotPassword: page(anybody, forgotPassword),
  verifyEmail: page(anybody, verifyEmail),
  generateVerificationLink: json(administrators, generateVerificationLinkBody, generateVerificationLink),
  createApiKey: json(signedIn, createApiKeyBody, createApiKey),
  listApiKeys: json(signedIn, noBody, listOwnApiKeys),
  revokeApiKey: json(signedIn, revokeApiKeyBody, revokeApiKey),
  requestOtp: json(anybody, requestOtpBody, requestOtp),
  verifyOtp: json(anybody, verifyOtpBody, verifyOtp),
  setupMfa: json(signedIn, body({}), setupMfa),
  verifyMfa: json(signedIn, verifyMfaBody, verifyMfa),
  disableMfa: json(signedIn, disableMfaBody, disableMfa),
  signIn: page(anybody, signIn),
  listProviders: json(anybody, noBody, listProviders),
  socialLogin: browser(anybody, socialLogin),
  socialCallback: browser(anybody, socialCallback),
  socialFormCallback: browser(anybody, socialFormCallback),
  appleCallback: browser(anybody, socialFormCallback),
  socialMobile: json(anybody, socialMobileBody, socialMobile),
  verifyWebAuth: json(anybody, verifyWebAuthBody, verifyWebAuth),
};

/** The routes below `auth_prefix`: docs/auth.md. */
export const accountRoutes: readonly AccountRoute[] = rows.map((row) => ({
  ...row,
  serve: handlers[row.name],
}));
