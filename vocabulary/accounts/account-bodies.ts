import type { accountRoutes, userRoutes } from "../built-in-routes.ts";
import { longestDeviceToken, platforms } from "../social/sign-in-options.ts";
import {
  allColumnsBody,
  anyObject,
  anyText,
  type BodyKeys,
  type BodyOf,
  body,
  changesBody,
  columnsBody,
  cookieOnly,
  emailAddress,
  flag,
  id,
  ignored,
  label,
  nullableLine,
  nullableText,
  ofFeature,
  oneKeyOf,
  oneOf,
  openBody,
  optional,
  orRefreshCookie,
  phoneNumber,
  text,
  unchecked,
  uncheckedOrNull,
} from "./body-keys.ts";

/** Of routes that begin or renew a session. */
const sessionKeys = { cookie_only: cookieOnly };
const secondFactor = { mfa_code: uncheckedOrNull, passkey: ofFeature("passkeys", optional(anyObject)) };
/** The parameters that providers need at the beginning of a sign-in. */
const loginParameters = {
  idp: optional(text(100)),
  shop: optional(text(100)),
  openid_identifier: optional(text(512)),
  openid_lj_user: optional(text(100)),
};
const newPassword = { new_password: anyText, confirm_password: anyText };
const names = { first_name: optional(nullableText(255)), last_name: optional(nullableText(255)) };

const nameLines = { first_name: optional(nullableLine(255)), last_name: optional(nullableLine(255)) };

/** The JSON bodies of account routes, by the name of the route. Other routes read none. */
export const accountBodies = {
  register: columnsBody({ email: emailAddress, password: anyText, ...names, role: ignored, ...sessionKeys }),
  login: body({
    email: emailAddress,
    password: text(1000),
    ...secondFactor,
    device_token: ignored,
    ...sessionKeys,
  }),
  refreshToken: body({ refreshToken: orRefreshCookie(text(4096)), ...sessionKeys }),
  logout: body({
    token: orRefreshCookie(text(4096)),
    logout_type: optional(oneOf("single", "all", "others")),
  }),
  getCurrentUser: body({}),
  deleteMe: body({}),
  changePassword: body({ current_password: text(1000), ...newPassword }),
  requestVerification: body({ email: emailAddress }),
  requestResetPassword: body({ email: emailAddress }),
  resetPassword: body({ token: text(4096), ...newPassword }),
  generateVerificationLink: body({
    user_id: id,
    email: emailAddress,
    type: oneOf("email_verification", "password_reset"),
  }),
  createApiKey: body({
    name: optional(nullableText(255)),
    expires_at: optional(text(100)),
    user_id: optional(id),
  }),
  revokeApiKey: oneKeyOf({ id: optional(id), key_prefix: optional(text(100)) }),
  requestOtp: body({ phone_number: phoneNumber }),
  verifyOtp: body({ phone_number: phoneNumber, otp: text(100), ...secondFactor, ...sessionKeys }),
  requestEmailCode: body({ email: emailAddress }),
  verifyEmailCode: body({ email: emailAddress, code: text(100), ...secondFactor, ...sessionKeys }),
  setupMfa: body({}),
  verifyMfa: body({ code: unchecked, action: optional(nullableText(100)) }),
  disableMfa: body({ code: unchecked }),
  socialMobile: openBody({
    id_token: optional(unchecked),
    access_token: optional(unchecked),
    device_token: optional(nullableText(longestDeviceToken)),
    ...names,
    platform: optional(oneOf(...platforms)),
    ...sessionKeys,
  }),
  verifyWebAuth: body({ token: text(4096), code_verifier: optional(text(128)), ...sessionKeys }),
  providersLink: body({
    redirect_to: optional(text(2048)),
    ...loginParameters,
    id_token: optional(unchecked),
    access_token: optional(unchecked),
  }),
  deleteProvider: body({}),
  deleteSessions: body({}),
  deleteSession: body({}),
  passkeysRegisterOptions: body({}),
  passkeysRegister: body({ response: anyObject, name: optional(label(100)) }),
  passkeysLoginOptions: body({}),
  passkeysLogin: body({ response: anyObject, device_token: ignored, ...sessionKeys }),
  patchPasskey: body({ name: label(100) }),
  deletePasskey: body({}),
  changeEmail: body({ new_email: emailAddress }),
  deleteChangeEmail: body({}),
  changeEmailConfirm: body({ token: text(4096) }),
  acceptInvitation: body({ token: text(4096), ...newPassword }),
  createUser: allColumnsBody({
    email: emailAddress,
    role: optional(text(255)),
    ...nameLines,
    send_invitation: optional(flag),
  }),
  patchMe: changesBody(columnsBody(nameLines)),
  setPassword: body(newPassword),
  deletePassword: body({}),
  changePhone: body({ phone_number: phoneNumber }),
  changePhoneConfirm: body({ code: text(100) }),
  deletePhone: body({}),
  updateUser: changesBody(
    allColumnsBody({
      role: optional(text(255)),
      is_active: optional(flag),
      is_verified: optional(flag),
      email: optional(emailAddress),
      ...nameLines,
    }),
  ),
  deleteUser: body({}),
  inviteUser: body({}),
  signOutUser: body({ api_keys: optional(flag) }),
  resetUserMfa: body({}),
} as const satisfies {
  readonly [Name in (typeof accountRoutes | typeof userRoutes)[number]["name"]]?: BodyKeys;
};

/** The checked body of an account route. */
export type AccountBody<Name extends keyof typeof accountBodies> = BodyOf<(typeof accountBodies)[Name]>;
