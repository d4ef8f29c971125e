import type { accountRoutes } from "../built-in-routes.ts";
import { longestDeviceToken, platforms } from "../social/sign-in-options.ts";
import {
  anyObject,
  anyText,
  type BodyKeys,
  type BodyOf,
  body,
  emailAddress,
  id,
  ignored,
  label,
  nullableText,
  ofFeature,
  oneKeyOf,
  oneOf,
  openBody,
  optional,
  phoneNumber,
  text,
  unchecked,
  uncheckedOrNull,
} from "./body-keys.ts";

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

/** The JSON bodies of account routes, by the name of the route. Other routes read none. */
export const accountBodies = {
  register: body({ email: emailAddress, password: anyText, ...names, role: ignored }),
  login: body({
    email: emailAddress,
    password: text(1000),
    ...secondFactor,
    device_token: ignored,
  }),
  refreshToken: body({ refreshToken: text(4096) }),
  logout: body({ token: text(4096), logout_type: optional(oneOf("single", "all", "others")) }),
  getCurrentUser: body({}),
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
  verifyOtp: body({ phone_number: phoneNumber, otp: text(100), ...secondFactor }),
  requestEmailCode: body({ email: emailAddress }),
  verifyEmailCode: body({ email: emailAddress, code: text(100), ...secondFactor }),
  setupMfa: body({}),
  verifyMfa: body({ code: unchecked, action: optional(nullableText(100)) }),
  disableMfa: body({ code: unchecked }),
  socialMobile: openBody({
    id_token: optional(unchecked),
    access_token: optional(unchecked),
    device_token: optional(nullableText(longestDeviceToken)),
    ...names,
    platform: optional(oneOf(...platforms)),
  }),
  verifyWebAuth: body({ token: text(4096), code_verifier: optional(text(128)) }),
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
  passkeysLogin: body({ response: anyObject, device_token: ignored }),
  patchPasskey: body({ name: label(100) }),
  deletePasskey: body({}),
  changeEmail: body({ new_email: emailAddress }),
  deleteChangeEmail: body({}),
  changeEmailConfirm: body({ token: text(4096) }),
} as const satisfies { readonly [Name in (typeof accountRoutes)[number]["name"]]?: BodyKeys };

/** The checked body of an account route. */
export type AccountBody<Name extends keyof typeof accountBodies> = BodyOf<(typeof accountBodies)[Name]>;
