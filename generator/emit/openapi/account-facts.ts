import { accountBodies } from "../../../vocabulary/accounts/account-bodies.ts";
import type { accountRoutes, SocialPath, signInPath } from "../../../vocabulary/built-in-routes.ts";
import { type Entries, type Part, reference } from "../../../vocabulary/openapi/document.ts";
import {
  exported,
  linkedProvider,
  madeLink,
  newApiKey,
  ownAccount,
  passkey,
  passkeyOptions,
  plainText,
  registration,
  session,
  sessionOf,
} from "./account-schemas.ts";
import {
  type ErrorsByStatus,
  errorContent,
  errorsOf,
  everyOperation,
  joinErrors,
  responseHeaders,
  retryAfter,
} from "./error-responses.ts";
import { list, type OperationFacts, successResponse } from "./operation.ts";
import { answer, queryParameter, whole } from "./shared-components.ts";

/** Who can use an account route. A `visitor` can send an access token. */
export type AccountCaller =
  | "everyone"
  | "visitor"
  | "signed in"
  | "administrators"
  | "administrators with API keys";

/** Facts of an account route that its table and its body do not have. */
export interface AccountFacts {
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly caller: AccountCaller;
  readonly parameters?: readonly Part[];
  /** Default the body of `accountBodies`. */
  readonly body?: OperationFacts["body"];
  /** By status. */
  readonly success: Entries<Part>;
  /** For a route that answers pages: those of errors. */
  readonly errorPages?: Entries<Part>;
  /** Without those of the caller, the URL, the body and the limit. */
  readonly errors: ErrorsByStatus;
  /** Whether hooks of `hooks/auth.ts` run. */
  readonly hooks?: true;
  /** What `success` becomes if hooks run. Default the same. */
  readonly hookedSuccess?: Entries<Part>;
}

/** Facts of each route, by its name. */
export type FactsOf<Row extends { readonly name: string }> = Readonly<Record<Row["name"], AccountFacts>>;

/** A route that exists only for declared providers. */
export type SocialRow = Extract<(typeof accountRoutes)[number], { readonly path: SocialPath }>;
type SignInRow = Extract<(typeof accountRoutes)[number], { readonly path: typeof signInPath }>;

/** A route that each service has. */
export type AccountRow = Exclude<(typeof accountRoutes)[number], SocialRow | SignInRow>;

/** An answer in the envelope. */
function done(description: string, data: Part = { type: "object" }): Entries<Part> {
  return { 200: successResponse(description, data) };
}

/** A page. `more`: headers, or other contents. */
function page(
  description: string,
  more: { readonly headers?: Part; readonly content?: Entries<Part> } = {},
): Part {
  return {
    description,
    headers: { ...responseHeaders, ...more.headers },
    content: { "text/html": { schema: plainText }, ...more.content },
  };
}

const { logout_type: logoutType } = accountBodies.logout.keys;
const { type: linkType } = accountBodies.generateVerificationLink.keys;
const { user_id: userId } = accountBodies.createApiKey.keys;

/** The id in a path. */
export const idParameter: Part = { name: "id", in: "path", required: true, schema: plainText };

const expiry = answer({ expires_at: { type: "string", format: "date-time" } });
const providerParameter: Part = { name: "provider", in: "path", required: true, schema: plainText };

const endedSessions = answer({ ended_sessions: whole });

/** Errors of a route that creates credentials or links for a user. */
const lockedCaller = errorsOf("NOT_FOUND", "ACCOUNT_INACTIVE");
/** The same, and the sign-in must be recent. */
export const recentCaller = errorsOf("NOT_FOUND", "ACCOUNT_INACTIVE", "REAUTHENTICATION_REQUIRED");
const mfaErrors = errorsOf("NOT_FOUND", "ACCOUNT_INACTIVE", "INVALID_MFA_CODE");

export const accountFacts: FactsOf<AccountRow> = {
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
  me: {
    summary: "Get the signed-in user",
    caller: "signed in",
    success: done("The user.", reference("schemas", "CurrentUser")),
    errors: errorsOf("NOT_FOUND", "USER_DATA_ERROR"),
  },
  getCurrentUser: {
    summary: "Get the signed-in user by POST",
    caller: "signed in",
    success: done("The user.", reference("schemas", "CurrentUser")),
    errors: errorsOf("NOT_FOUND", "USER_DATA_ERROR"),
  },
  export: {
    summary: "Export the data of the account of the signed-in user",
    description:
      "A file. `models` has the rows that refer to the account and that the user can fetch, at most 10,000 of a model.",
    caller: "signed in",
    success: done("The data.", exported),
    errors: recentCaller,
  },
  deleteMe: {
    summary: "Delete the account of the signed-in user",
    description:
      "Rows that refer to the account are removed, emptied or kept as `generated/account-deletion.txt` says.",
    caller: "signed in",
    success: done("The account is deleted."),
    errors: joinErrors(recentCaller, errorsOf("ACCOUNT_IN_USE", "LAST_ADMINISTRATOR")),
    hooks: true,
  },
  changePassword: {
    summary: "Change the password",
    description: "It ends all sessions. After 10 wrong current passwords in 15 minutes the answer is 429.",
    caller: "signed in",
    success: done("The password is changed."),
    errors: errorsOf(
      "WEAK_PASSWORD",
      "INVALID_CREDENTIALS",
      "NOT_FOUND",
      "ACCOUNT_INACTIVE",
      "RATE_LIMIT_EXCEEDED",
    ),
  },
  requestVerification: {
    summary: "Mail another link that verifies an address",
    description: "The answer does not tell whether the address has an account.",
    caller: "everyone",
    success: done("A link is on its way if the address waits for one."),
    errors: {},
  },
  requestResetPassword: {
    summary: "Mail a link that sets a new password",
    description: "The answer does not tell whether the address has an account.",
    caller: "everyone",
    success: done("A link is on its way if the address has an account."),
    errors: {},
  },
  resetPassword: {
    summary: "Set a new password with the token of a link",
    description: "It ends all sessions and deletes all API keys.",
    caller: "everyone",
    success: done("The password is set."),
    errors: errorsOf("WEAK_PASSWORD", "INVALID_RESET_TOKEN", "ACCOUNT_INACTIVE"),
  },
  forgotPassword: {
    operationId: "authForgotPasswordPage",
    summary: "Show the page that resets a password",
    caller: "everyone",
    parameters: [
      queryParameter("token", "The token of a reset link. Without it the page asks for a link.", plainText),
    ],
    success: { 200: page("The page.") },
    errorPages: {},
    errors: {},
  },
  verifyEmail: {
    operationId: "authVerifyEmailPage",
    summary: "Verify an address with the token of a link",
    caller: "everyone",
    parameters: [queryParameter("token", "The token of a verification link.", plainText, true)],
    success: { 200: page("The address is verified.") },
    errorPages: {
      400: page("The link is not valid, or has expired."),
      429: page("Too many requests.", { headers: retryAfter }),
      503: page("The link cannot be checked now. The answer of an overloaded service is JSON.", {
        headers: retryAfter,
        content: errorContent(503, everyOperation[503]),
      }),
    },
    errors: {},
  },
  generateVerificationLink: {
    summary: "Make a link for a user",
    caller: "administrators",
    success: done(
      "The link.",
      answer({ secure_link: { type: "string", format: "uri" }, type: linkType.schema }),
    ),
    errors: lockedCaller,
  },
  createApiKey: {
    summary: "Create an API key",
    description: "Only this answer has the key itself. Administrators can create keys of other users.",
    caller: "signed in",
    success: done("The key.", newApiKey),
    errors: errorsOf("PERMISSION_DENIED", "ACCOUNT_INACTIVE", "NOT_FOUND"),
  },
  listApiKeys: {
    summary: "List API keys",
    caller: "signed in",
    parameters: [queryParameter("user_id", "The user of the keys, for administrators.", userId.schema)],
    success: done("The keys, oldest first.", list(reference("schemas", "ApiKey"))),
    errors: errorsOf("PERMISSION_DENIED", "NOT_FOUND"),
  },
  revokeApiKey: {
    summary: "Revoke an API key",
    description: "Administrators can revoke keys of other users.",
    caller: "signed in",
    success: done("The key is revoked."),
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
  setupMfa: {
    summary: "Set up a second factor",
    description: "`verify-mfa` with the action `activate` enables it.",
    caller: "signed in",
    success: done(
      "The secret as a URI for authenticator apps, and the backup codes.",
      answer({ provisioning_uri: { type: "string", format: "uri" }, backup_codes: list(plainText) }),
    ),
    errors: lockedCaller,
  },
  verifyMfa: {
    summary: "Enable a second factor, or check a code",
    description: "With the action `activate` it enables the factor. Both uses use the code up.",
    caller: "signed in",
    success: done("The factor is enabled, or the code is right.", {
      anyOf: [
        answer({ enabled: { const: true } }),
        answer({ backup_code_used: { type: "boolean" }, backup_codes_remaining: whole }),
      ],
    }),
    errors: mfaErrors,
  },
  disableMfa: {
    summary: "Remove the second factor",
    caller: "signed in",
    success: done("The factor is removed.", answer({ enabled: { const: false } })),
    errors: mfaErrors,
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
  providersLinked: {
    summary: "List the linked providers of the signed-in user",
    caller: "signed in",
    success: done("The providers.", answer({ providers: list(linkedProvider) })),
    errors: {},
  },
  providersLink: {
    summary: "Link a provider to the signed-in user",
    description:
      "The browser that gets the cookie of the answer goes to the address. With a token of a mobile app it links at once.",
    caller: "signed in",
    parameters: [providerParameter],
    success: done("The address or the state of the provider's sign-in, or the link.", {
      anyOf: [
        answer({ authorization_url: { type: "string", format: "uri" } }),
        answer({ state: plainText }),
        madeLink,
      ],
    }),
    errors: joinErrors(
      recentCaller,
      errorsOf("PROVIDER_ALREADY_LINKED", "SOCIAL_AUTH_FAILED", "MOBILE_SIGN_IN_NOT_SUPPORTED"),
    ),
  },
  deleteProvider: {
    operationId: "authDeleteProvidersByProvider",
    summary: "Unlink a provider",
    description: "Sessions stay.",
    caller: "signed in",
    parameters: [providerParameter],
    success: done("The provider is unlinked."),
    errors: joinErrors(recentCaller, errorsOf("LAST_SIGN_IN_METHOD")),
  },
  getSessions: {
    summary: "List the sessions of the signed-in user",
    caller: "signed in",
    success: done("The sessions, the last used one first.", answer({ sessions: list(session) })),
    errors: {},
  },
  deleteSessions: {
    summary: "End all other sessions",
    description: "It also revokes their access tokens.",
    caller: "signed in",
    success: done("The number of ended sessions.", endedSessions),
    errors: lockedCaller,
  },
  deleteSession: {
    operationId: "authDeleteSessionsById",
    summary: "End a session",
    description: "It also revokes the access tokens of the session.",
    caller: "signed in",
    parameters: [idParameter],
    success: done("The number of ended sessions: 1.", endedSessions),
    errors: lockedCaller,
  },
  passkeysRegisterOptions: {
    summary: "Get the options with which a browser makes a passkey",
    description: "They are for `navigator.credentials.create`, and valid for five minutes.",
    caller: "signed in",
    success: done("The options.", passkeyOptions),
    errors: recentCaller,
  },
  passkeysRegister: {
    summary: "Add the passkey that a browser made",
    description: "Only the session that got the options can add it.",
    caller: "signed in",
    success: done("The passkey.", passkey),
    errors: joinErrors(lockedCaller, errorsOf("PASSKEY_FAILED")),
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
  getPasskeys: {
    summary: "List the passkeys of the signed-in user",
    caller: "signed in",
    success: done("The passkeys, oldest first.", answer({ passkeys: list(passkey) })),
    errors: {},
  },
  patchPasskey: {
    operationId: "authPatchPasskeysById",
    summary: "Rename a passkey",
    caller: "signed in",
    parameters: [idParameter],
    success: done("The passkey.", passkey),
    errors: lockedCaller,
  },
  deletePasskey: {
    operationId: "authDeletePasskeysById",
    summary: "Delete a passkey",
    caller: "signed in",
    parameters: [idParameter],
    success: done("The passkey is deleted."),
    errors: joinErrors(recentCaller, errorsOf("LAST_SIGN_IN_METHOD")),
  },
  changeEmail: {
    summary: "Mail a link that changes the e-mail address",
    description: "The answer does not tell whether the address has an account.",
    caller: "signed in",
    success: done("A mail to the new address is on its way.", expiry),
    errors: recentCaller,
  },
  deleteChangeEmail: {
    summary: "Withdraw a change of the e-mail address",
    caller: "signed in",
    success: done("The link does not work any more."),
    errors: lockedCaller,
  },
  getChangeEmail: {
    summary: "Show the page that confirms a new e-mail address",
    description: "It changes nothing. The button of the page sends the token.",
    caller: "everyone",
    parameters: [queryParameter("token", "The token of a link.", plainText)],
    success: { 200: page("The page.") },
    errorPages: {},
    errors: {},
  },
  acceptInvitation: {
    summary: "Set the first password of an account with the token of an invitation",
    description: "It verifies the address, and uses the link up.",
    caller: "everyone",
    success: done("The password is set."),
    errors: errorsOf("WEAK_PASSWORD", "INVALID_LINK"),
  },
  getAcceptInvitation: {
    summary: "Show the page that accepts an invitation",
    description: "It changes nothing. The form of the page sends the token.",
    caller: "everyone",
    parameters: [queryParameter("token", "The token of a link.", plainText)],
    success: { 200: page("The page.") },
    errorPages: {},
    errors: {},
  },
  changeEmailConfirm: {
    summary: "Set the new e-mail address with the token of a link",
    description: "It uses the link up. Sessions stay.",
    caller: "everyone",
    success: done("The new address, which is verified.", answer({ email: plainText })),
    errors: errorsOf("INVALID_LINK", "EMAIL_ALREADY_EXISTS"),
    hooks: true,
  },
  getAccount: {
    summary: "Get the account of the signed-in user",
    description: "It has the ways to sign in, and the changes that wait for a confirmation.",
    caller: "signed in",
    success: done("The account.", ownAccount),
    errors: errorsOf("NOT_FOUND"),
  },
  patchMe: {
    summary: "Change the profile of the signed-in user",
    caller: "signed in",
    success: done("The user.", reference("schemas", "OwnUser")),
    errors: lockedCaller,
    hooks: true,
  },
  setPassword: {
    summary: "Set the password of an account without one",
    description: "It ends no session.",
    caller: "signed in",
    success: done("The password is set."),
    errors: joinErrors(recentCaller, errorsOf("WEAK_PASSWORD")),
  },
  deletePassword: {
    summary: "Remove the password",
    description: "It ends all other sessions.",
    caller: "signed in",
    success: done("The password is removed."),
    errors: joinErrors(recentCaller, errorsOf("LAST_SIGN_IN_METHOD")),
  },
  changePhone: {
    summary: "Send a code that changes the phone number",
    description:
      "The answer does not tell whether another account has the number. After 4 codes in an hour the answer is 429.",
    caller: "signed in",
    success: done("The code is sent.", expiry),
    errors: joinErrors(recentCaller, errorsOf("RATE_LIMIT_EXCEEDED")),
  },
  changePhoneConfirm: {
    summary: "Set the new phone number with the code",
    description: "Only the session that asked for the code can use it.",
    caller: "signed in",
    success: done("The new phone number.", answer({ phone_number: plainText })),
    errors: joinErrors(lockedCaller, errorsOf("INVALID_OTP", "PHONE_ALREADY_EXISTS")),
    hooks: true,
  },
  deletePhone: {
    summary: "Remove the phone number",
    caller: "signed in",
    success: done("The phone number is removed."),
    errors: joinErrors(recentCaller, errorsOf("LAST_SIGN_IN_METHOD")),
    hooks: true,
  },
};
