import { accountBodies } from "../../../../vocabulary/accounts/account-bodies.ts";
import { reference } from "../../../../vocabulary/openapi/document.ts";
import { passkeyOptions, plainText, registration, sessionOf } from "../account-schemas.ts";
import { errorsOf } from "../error-responses.ts";
import { list } from "../operation.ts";
import { answer, whole } from "../shared-components.ts";
import { type AccountRow, done, type FactsOf } from "./facts.ts";

const { logout_type: logoutType } = accountBodies.logout.keys;

/** Facts of the routes that begin, continue and end a session. */
export const signInFacts = {
  register: {
    summary: "Create an account",
    description: "The answer has tokens if users can sign in without a verified address.",
    caller: "everyone",
    success: done("The account.", registration),
    errors: errorsOf("PERMISSION_DENIED", "WEAK_PASSWORD", "EMAIL_ALREADY_EXISTS"),
    hooks: true,
  },
  login: {
    summary: "Sign in by e-mail and password",
    caller: "everyone",
    success: done("A new session.", sessionOf("User")),
    errors: errorsOf(
      "INVALID_CREDENTIALS",
      "ACCOUNT_INACTIVE",
      "EMAIL_NOT_VERIFIED",
      "MFA_REQUIRED",
      "INVALID_MFA_CODE",
    ),
    hooks: true,
  },
  refreshToken: {
    summary: "Exchange a refresh token for new tokens",
    description: "It uses the refresh token up.",
    caller: "everyone",
    success: done("New tokens.", reference("schemas", "Tokens")),
    errors: errorsOf("INVALID_TOKEN", "TOKEN_EXPIRED", "ACCOUNT_INACTIVE"),
  },
  logout: {
    summary: "End sessions",
    description: "It also revokes the access token of the request, if that is of the same user.",
    caller: "visitor",
    success: done(
      "The sessions are ended.",
      answer({ deleted_tokens: whole, logout_type: logoutType.schema }),
    ),
    errors: errorsOf("NOT_FOUND"),
  },
  requestOtp: {
    summary: "Send a one-time code by text message",
    caller: "everyone",
    success: done("The code is sent."),
    errors: {},
  },
  verifyOtp: {
    summary: "Sign in by phone number and one-time code",
    description: "It creates the account of a new number.",
    caller: "everyone",
    success: done("A new session.", sessionOf("OtpUser")),
    hookedSuccess: done("A new session. A hook can withhold the tokens of a new account.", {
      anyOf: [sessionOf("OtpUser"), answer({ user: reference("schemas", "OtpUser") })],
    }),
    errors: errorsOf(
      "PERMISSION_DENIED",
      "INVALID_OTP",
      "INVALID_MFA_CODE",
      "ACCOUNT_INACTIVE",
      "MFA_REQUIRED",
    ),
    hooks: true,
  },
  requestEmailCode: {
    summary: "Mail a one-time code",
    description: "The answer does not tell whether the address has an account.",
    caller: "everyone",
    success: done("A code is on its way."),
    errors: {},
  },
  verifyEmailCode: {
    summary: "Sign in by e-mail address and one-time code",
    description: "It creates the account of a new address.",
    caller: "everyone",
    success: done("A new session.", sessionOf("User")),
    hookedSuccess: done("A new session. A hook can withhold the tokens of a new account.", {
      anyOf: [sessionOf("User"), answer({ user: reference("schemas", "User") })],
    }),
    errors: errorsOf("PERMISSION_DENIED", "INVALID_OTP", "INVALID_MFA_CODE", "MFA_REQUIRED"),
    hooks: true,
  },
  passkeysLoginOptions: {
    summary: "Get the options with which a browser uses a passkey",
    description: "They are for `navigator.credentials.get`, and valid for five minutes.",
    caller: "everyone",
    success: done("The options.", passkeyOptions),
    errors: {},
  },
  passkeysLogin: {
    summary: "Sign in with a passkey",
    description: "A passkey proves two factors, so no other code is needed.",
    caller: "everyone",
    success: done("A new session.", sessionOf("User")),
    errors: errorsOf("PASSKEY_FAILED", "ACCOUNT_INACTIVE", "EMAIL_NOT_VERIFIED"),
    hooks: true,
  },
  listProviders: {
    operationId: "authProviders",
    summary: "List the providers of social sign-in",
    caller: "everyone",
    success: done(
      "The declared providers.",
      list(answer({ provider: plainText, title: plainText, login_url: { type: "string", format: "uri" } })),
    ),
    errors: {},
  },
  verifyWebAuth: {
    summary: "Sign in with the token that a social sign-in gave to a page",
    caller: "everyone",
    success: done("A new session.", sessionOf("User")),
    errors: errorsOf("INVALID_TOKEN", "ACCOUNT_INACTIVE"),
    hooks: true,
  },
} satisfies Partial<FactsOf<AccountRow>>;
