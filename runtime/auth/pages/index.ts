export { forgotPasswordPage } from "./forgot-password.ts";
export type { Page } from "./page.ts";
export { sendPage } from "./send-page.ts";
export { type VerificationOutcome, verificationPage } from "./verification.ts";
