import { sendPage } from "../../../../core/pages/index.ts";
import type { RouteContext } from "../account-route.ts";
import { forgotPasswordPage } from "../pages/account-pages.ts";

/** `GET /auth/forgot-password`: the page that requests a reset link, and that a reset link opens. */
export function forgotPassword({ response }: RouteContext): void {
  sendPage(response, 200, forgotPasswordPage());
}
