import { type accountRoutes as listed, signInPath } from "../../../../vocabulary/built-in-routes.ts";
import { body, noBody } from "../account-body.ts";
import { type RoutesOf, route } from "../account-route.ts";
import { administrators, anybody, signedIn, whoever } from "../guards.ts";
import { perAddress, perEmail, perPhone } from "../route-counters.ts";
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

/**
 * The routes below `auth_prefix` (contract: "Auth: account" and after it), each with what happens to a request in the order
 * in which it happens. What is listed, and counted, must be so here: else it does not compile.
 */
export const accountRoutes: RoutesOf<typeof listed> = [
  route.post("/register", [anybody, perAddress], registerBody, register),
  route.post("/login", [anybody, perAddress], [loginBody, perEmail], login),
  route.post("/refresh-token", anybody, refreshTokenBody, refreshToken),
  route.post("/logout", whoever, logoutBody, logout),
  route.get("/me", signedIn, noBody, me),
  route.post("/get-current-user", signedIn, body({}), me),
  route.post("/change-password", signedIn, changePasswordBody, changePassword),
  route.post("/request-verification", anybody, [requestVerificationBody, perEmail], requestVerification),
  route.post("/request-reset-password", anybody, [requestResetPasswordBody, perEmail], requestResetPassword),
  route.post("/reset-password", anybody, resetPasswordBody, resetPassword),
  route.page("/forgot-password", anybody, forgotPassword),
  route.page("/verify-email", [anybody, perAddress], verifyEmail),
  route.post(
    "/generate-verification-link",
    administrators,
    generateVerificationLinkBody,
    generateVerificationLink,
  ),
  route.post("/api-keys/create", signedIn, createApiKeyBody, createApiKey),
  route.get("/api-keys/list", signedIn, noBody, listOwnApiKeys),
  route.delete("/api-keys/revoke", signedIn, revokeApiKeyBody, revokeApiKey),
  route.post("/request-otp", anybody, [requestOtpBody, perPhone], requestOtp),
  route.post("/verify-otp", anybody, [verifyOtpBody, perPhone], verifyOtp),
  route.post("/setup-mfa", [signedIn, perAddress], body({}), setupMfa),
  route.post("/verify-mfa", [signedIn, perAddress], verifyMfaBody, verifyMfa),
  route.post("/disable-mfa", [signedIn, perAddress], disableMfaBody, disableMfa),
  route.page(signInPath, anybody, signIn),
  route.get("/providers", anybody, noBody, listProviders),
  route.browser.get("/{provider}/login", anybody, socialLogin),
  route.browser.get("/{provider}/callback", [anybody, perAddress], socialCallback),
  route.browser.post("/{provider}/callback", [anybody, perAddress], socialFormCallback),
  route.browser.post("/apple/callback", [anybody, perAddress], socialFormCallback),
  route.post("/{provider}/mobile", [anybody, perAddress], socialMobileBody, socialMobile),
  route.post("/verify-web-auth", anybody, verifyWebAuthBody, verifyWebAuth),
];
