import { sendPage } from "../../../../core/pages/index.ts";
import type { Exchange } from "../account-route.ts";
import { forgotPasswordPage } from "../pages/account-pages.ts";

/** `GET /auth/forgot-password`: the page that asks for a reset link, and that such a link opens. The same for everybody. */
export function forgotPassword({ response }: Exchange): void {
  sendPage(response, 200, forgotPasswordPage());
}
