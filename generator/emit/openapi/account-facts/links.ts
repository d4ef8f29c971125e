import { accountBodies } from "../../../../vocabulary/accounts/account-bodies.ts";
import { plainText } from "../account-schemas.ts";
import { errorContent, errorsOf, everyOperation, retryAfter } from "../error-responses.ts";
import { answer, queryParameter } from "../shared-components.ts";
import { type AccountRow, done, type FactsOf, lockedCaller, page } from "./facts.ts";

const { type: linkType } = accountBodies.generateVerificationLink.keys;

/** Facts of the routes of links in mails, and of the pages that they open. */
export const linkFacts = {
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
  getChangeEmail: {
    summary: "Show the page that confirms a new e-mail address",
    description: "It changes nothing. The button of the page sends the token.",
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
} satisfies Partial<FactsOf<AccountRow>>;
