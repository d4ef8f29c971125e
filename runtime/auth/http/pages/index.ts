export {
  forgotPasswordPage,
  type ShownOutcome,
  tooManyRequestsPage,
  verificationPage,
} from "./account-pages.ts";
export { signInPage } from "./sign-in-page.ts";
