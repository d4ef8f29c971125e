export { forgotPasswordPage } from "./forgot-password-page.ts";
export type { Page } from "./page.ts";
export { sendPage } from "./send-page.ts";
export { tooManyRequestsPage } from "./too-many-requests.ts";
export { type VerificationOutcome, verificationPage } from "./verification.ts";
