import { body, noBody } from "../account-body.ts";
import { type AuthRoute, route } from "../account-route.ts";
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
import { resetPassword, resetPasswordBody } from "./reset-password.ts";
import { setupMfa } from "./setup-mfa.ts";
import { verifyEmail } from "./verify-email.ts";
import { verifyMfa, verifyMfaBody } from "./verify-mfa.ts";
import { verifyOtp, verifyOtpBody } from "./verify-otp.ts";

/** The routes below `auth_prefix` (contract: "Auth: account" and after it); last stands what a route is counted by. */
export const accountRoutes: readonly AuthRoute[] = [
  route.post("/register", anybody, registerBody, register, perAddress),
  route.post("/login", anybody, loginBody, login, perAddress, perEmail),
  route.post("/refresh-token", anybody, refreshTokenBody, refreshToken),
  route.post("/logout", whoever, logoutBody, logout),
  route.get("/me", signedIn, noBody, me),
  route.post("/get-current-user", signedIn, body({}), me),
  route.post("/change-password", signedIn, changePasswordBody, changePassword),
  route.post("/request-reset-password", anybody, requestResetPasswordBody, requestResetPassword, perEmail),
  route.post("/reset-password", anybody, resetPasswordBody, resetPassword),
  route.page("/forgot-password", forgotPassword),
  route.page("/verify-email", verifyEmail, perAddress),
  route.post(
    "/generate-verification-link",
    administrators,
    generateVerificationLinkBody,
    generateVerificationLink,
  ),
  route.post("/api-keys/create", signedIn, createApiKeyBody, createApiKey),
  route.get("/api-keys/list", signedIn, noBody, listOwnApiKeys),
  route.delete("/api-keys/revoke", signedIn, revokeApiKeyBody, revokeApiKey),
  route.post("/request-otp", anybody, requestOtpBody, requestOtp, perPhone),
  route.post("/verify-otp", anybody, verifyOtpBody, verifyOtp, perPhone),
  route.post("/setup-mfa", signedIn, body({}), setupMfa, perAddress),
  route.post("/verify-mfa", signedIn, verifyMfaBody, verifyMfa, perAddress),
  route.post("/disable-mfa", signedIn, disableMfaBody, disableMfa, perAddress),
];
