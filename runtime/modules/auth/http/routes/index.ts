import { accountRoutes as rows } from "../../../../../vocabulary/built-in-routes.ts";
import { type AccountRoute, browser, download, json, page, type ServeRoute } from "../account-route.ts";
import { administrators, optionalUser, publicRoute, requireUser } from "../guards.ts";
import { takesPasskey } from "../passkey-refusals.ts";
import { getAcceptInvitation, postAcceptInvitation } from "./accept-invitation.ts";
import { getAccount } from "./account/get.ts";
import { patchMe } from "./account/update.ts";
import { createApiKey } from "./api-keys/create.ts";
import { listOwnApiKeys } from "./api-keys/list.ts";
import { revokeApiKey } from "./api-keys/revoke.ts";
import { changePassword } from "./change-password.ts";
import { deleteMe } from "./delete-me.ts";
import { disableMfa } from "./disable-mfa.ts";
import { changeEmail, deleteChangeEmail } from "./email/change.ts";
import { changeEmailConfirm } from "./email/confirm.ts";
import { getChangeEmail } from "./email/page.ts";
import { requestEmailCode } from "./email-code/request.ts";
import { verifyEmailCode } from "./email-code/verify.ts";
import { exportAccount } from "./export.ts";
import { forgotPassword } from "./forgot-password.ts";
import { generateVerificationLink } from "./generate-verification-link.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { me } from "./me.ts";
import { passkeysLogin, passkeysLoginOptions } from "./passkeys/login.ts";
import { deletePasskey, getPasskeys, patchPasskey } from "./passkeys/manage.ts";
import { passkeysRegister, passkeysRegisterOptions } from "./passkeys/register.ts";
import { deletePassword } from "./password/remove.ts";
import { setPassword } from "./password/set.ts";
import { changePhone } from "./phone/change.ts";
import { changePhoneConfirm } from "./phone/confirm.ts";
import { deletePhone } from "./phone/remove.ts";
import { refreshToken } from "./refresh-token.ts";
import { register } from "./register.ts";
import { requestOtp } from "./request-otp.ts";
import { requestResetPassword } from "./request-reset-password.ts";
import { requestVerification } from "./request-verification.ts";
import { resetPassword } from "./reset-password.ts";
import { deleteSession, deleteSessions } from "./sessions/end.ts";
import { getSessions } from "./sessions/list.ts";
import { setupMfa } from "./setup-mfa.ts";
import { signIn } from "./sign-in.ts";
import { socialCallback, socialFormCallback } from "./social/callback.ts";
import { providersLink } from "./social/link.ts";
import { deleteProvider, providersLinked } from "./social/linked.ts";
import { socialLogin } from "./social/login.ts";
import { socialMobile } from "./social/mobile.ts";
import { listProviders } from "./social/providers.ts";
import { verifyWebAuth } from "./social/verify-web-auth.ts";
import { verifyEmail } from "./verify-email.ts";
import { verifyMfa } from "./verify-mfa.ts";
import { verifyOtp } from "./verify-otp.ts";

/** The handler of each row, by the name of the row. The type refuses missing and unknown names. */
const handlers: Readonly<Record<(typeof rows)[number]["name"], ServeRoute>> = {
  register: json(publicRoute, "register", register),
  login: json(publicRoute, "login", takesPasskey(login)),
  refreshToken: json(publicRoute, "refreshToken", refreshToken),
  logout: json(optionalUser, "logout", logout),
  me: json(requireUser, null, me),
  export: download(requireUser, exportAccount),
  deleteMe: json(requireUser, "deleteMe", deleteMe),
  getCurrentUser: json(requireUser, "getCurrentUser", me),
  changePassword: json(requireUser, "changePassword", changePassword),
  requestVerification: json(publicRoute, "requestVerification", requestVerification),
  requestResetPassword: json(publicRoute, "requestResetPassword", requestResetPassword),
  resetPassword: json(publicRoute, "resetPassword", resetPassword),
  forgotPassword: page(publicRoute, forgotPassword),
  verifyEmail: page(publicRoute, verifyEmail),
  generateVerificationLink: json(administrators, "generateVerificationLink", generateVerificationLink),
  createApiKey: json(requireUser, "createApiKey", createApiKey),
  listApiKeys: json(requireUser, null, listOwnApiKeys),
  revokeApiKey: json(requireUser, "revokeApiKey", revokeApiKey),
  requestOtp: json(publicRoute, "requestOtp", requestOtp),
  verifyOtp: json(publicRoute, "verifyOtp", takesPasskey(verifyOtp)),
  requestEmailCode: json(publicRoute, "requestEmailCode", requestEmailCode),
  verifyEmailCode: json(publicRoute, "verifyEmailCode", takesPasskey(verifyEmailCode)),
  setupMfa: json(requireUser, "setupMfa", setupMfa),
  verifyMfa: json(requireUser, "verifyMfa", verifyMfa),
  disableMfa: json(requireUser, "disableMfa", disableMfa),
  signIn: page(publicRoute, signIn),
  listProviders: json(publicRoute, null, listProviders),
  socialLogin: browser(publicRoute, socialLogin),
  socialCallback: browser(publicRoute, socialCallback),
  socialFormCallback: browser(publicRoute, socialFormCallback),
  appleCallback: browser(publicRoute, socialFormCallback),
  socialMobile: json(publicRoute, "socialMobile", socialMobile),
  verifyWebAuth: json(publicRoute, "verifyWebAuth", verifyWebAuth),
  providersLinked: json(requireUser, null, providersLinked),
  providersLink: json(requireUser, "providersLink", providersLink),
  deleteProvider: json(requireUser, "deleteProvider", deleteProvider),
  getSessions: json(requireUser, null, getSessions),
  deleteSessions: json(requireUser, "deleteSessions", deleteSessions),
  deleteSession: json(requireUser, "deleteSession", deleteSession),
  passkeysRegisterOptions: json(requireUser, "passkeysRegisterOptions", passkeysRegisterOptions),
  passkeysRegister: json(requireUser, "passkeysRegister", takesPasskey(passkeysRegister)),
  passkeysLoginOptions: json(publicRoute, "passkeysLoginOptions", passkeysLoginOptions),
  passkeysLogin: json(publicRoute, "passkeysLogin", takesPasskey(passkeysLogin)),
  getPasskeys: json(requireUser, null, getPasskeys),
  patchPasskey: json(requireUser, "patchPasskey", patchPasskey),
  deletePasskey: json(requireUser, "deletePasskey", deletePasskey),
  changeEmail: json(requireUser, "changeEmail", changeEmail),
  deleteChangeEmail: json(requireUser, "deleteChangeEmail", deleteChangeEmail),
  getChangeEmail: page(publicRoute, getChangeEmail),
  acceptInvitation: json(publicRoute, "acceptInvitation", postAcceptInvitation),
  getAcceptInvitation: page(publicRoute, getAcceptInvitation),
  changeEmailConfirm: json(publicRoute, "changeEmailConfirm", changeEmailConfirm),
  getAccount: json(requireUser, null, getAccount),
  patchMe: json(requireUser, "patchMe", patchMe),
  setPassword: json(requireUser, "setPassword", setPassword),
  deletePassword: json(requireUser, "deletePassword", deletePassword),
  changePhone: json(requireUser, "changePhone", changePhone),
  changePhoneConfirm: json(requireUser, "changePhoneConfirm", changePhoneConfirm),
  deletePhone: json(requireUser, "deletePhone", deletePhone),
};

/** The routes below `auth_prefix`: docs/auth.md. */
export const accountRoutes: readonly AccountRoute[] = rows.map((row) => ({
  ...row,
  serve: handlers[row.name],
}));
