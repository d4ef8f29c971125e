import { reference } from "../../../../vocabulary/openapi/document.ts";
import { exported, ownAccount, plainText, session } from "../account-schemas.ts";
import { errorsOf, joinErrors } from "../error-responses.ts";
import { list } from "../operation.ts";
import { answer, whole } from "../shared-components.ts";
import { type AccountRow, done, type FactsOf, idParameter, lockedCaller, recentCaller } from "./facts.ts";

const endedSessions = answer({ ended_sessions: whole });
const expiry = answer({ expires_at: { type: "string", format: "date-time" } });

/** Facts of the routes of the account of the caller. */
export const callerAccountFacts = {
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
} satisfies Partial<FactsOf<AccountRow>>;
