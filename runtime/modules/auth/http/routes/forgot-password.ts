import { sendPage } from "../../../../core/pages/index.ts";
import type { Exchange } from "../account-route.ts";
import { forgotPasswordPage } from "../pages/account-pages.ts";

/** `GET /auth/forgot-password`: the page that requests a reset link, and that a reset link opens. */
export function forgotPassword({ response }: Exchange): void {
  sendPage(response, 200, forgotPasswordPage());
}
