export { forgotPasswordPage } from "./forgot-password-page.ts";
export { type ShownOutcome, tooManyRequestsPage, verificationPage } from "./notices.ts";
export { signInPage } from "./sign-in-page.ts";
