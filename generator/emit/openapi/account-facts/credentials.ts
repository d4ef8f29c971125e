import { accountBodies } from "../../../../vocabulary/accounts/account-bodies.ts";
import { type Part, reference } from "../../../../vocabulary/openapi/document.ts";
import {
  linkedProvider,
  madeLink,
  newApiKey,
  passkey,
  passkeyOptions,
  plainText,
} from "../account-schemas.ts";
import { errorsOf, joinErrors } from "../error-responses.ts";
import { list } from "../operation.ts";
import { answer, queryParameter, whole } from "../shared-components.ts";
import { type AccountRow, done, type FactsOf, idParameter, lockedCaller, recentCaller } from "./facts.ts";

const { user_id: userId } = accountBodies.createApiKey.keys;
const mfaErrors = errorsOf("NOT_FOUND", "ACCOUNT_INACTIVE", "INVALID_MFA_CODE");
const providerParameter: Part = { name: "provider", in: "path", required: true, schema: plainText };

/** Facts of the routes that manage the ways to sign in, and API keys. */
export const credentialFacts = {
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
} satisfies Partial<FactsOf<AccountRow>>;
