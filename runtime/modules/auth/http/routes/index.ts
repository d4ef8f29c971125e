import { accountRoutes as rows } from "../../../../../vocabulary/built-in-routes.ts";
import { body, noBody } from "../account-body.ts";
import {
  type AccountRoute,
  administrators,
  browser,
  json,
  optionalUser,
  page,
  publicRoute,
  requireUser,
  type ServeRoute,
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

/** The handler of each row, by the name of the row. The type refuses missing and unknown names. */
const handlers: Readonly<Record<(typeof rows)[number]["name"], ServeRoute>> = {
  register: json(publicRoute, registerBody, register),
  login: json(publicRoute, loginBody, login),
  refreshToken: json(publicRoute, refreshTokenBody, refreshToken),
  logout: json(optionalUser, logoutBody, logout),
  me: json(requireUser, noBody, me),
  getCurrentUser: json(requireUser, body({}), me),
  changePassword: json(requireUser, changePasswordBody, changePassword),
  requestVerification: json(publicRoute, requestVerificationBody, requestVerification),
  requestResetPassword: json(publicRoute, requestResetPasswordBody, requestResetPassword),
  resetPassword: json(publicRoute, resetPasswordBody, resetPassword),
  forgotPassword: page(publicRoute, forgotPassword),
  verifyEmail: page(publicRoute, verifyEmail),
  generateVerificationLink: json(administrators, generateVerificationLinkBody, generateVerificationLink),
  createApiKey: json(requireUser, createApiKeyBody, createApiKey),
  listApiKeys: json(requireUser, noBody, listOwnApiKeys),
  revokeApiKey: json(requireUser, revokeApiKeyBody, revokeApiKey),
  requestOtp: json(publicRoute, requestOtpBody, requestOtp),
  verifyOtp: json(publicRoute, verifyOtpBody, verifyOtp),
  setupMfa: json(requireUser, body({}), setupMfa),
  verifyMfa: json(requireUser, verifyMfaBody, verifyMfa),
  disableMfa: json(requireUser, disableMfaBody, disableMfa),
  signIn: page(publicRoute, signIn),
  listProviders: json(publicRoute, noBody, listProviders),
  socialLogin: browser(publicRoute, socialLogin),
  socialCallback: browser(publicRoute, socialCallback),
  socialFormCallback: browser(publicRoute, socialFormCallback),
  appleCallback: browser(publicRoute, socialFormCallback),
  socialMobile: json(publicRoute, socialMobileBody, socialMobile),
  verifyWebAuth: json(publicRoute, verifyWebAuthBody, verifyWebAuth),
};

/** The routes below `auth_prefix`: docs/auth.md. */
export const accountRoutes: readonly AccountRoute[] = rows.map((row) => ({
  ...row,
  serve: handlers[row.name],
}));
