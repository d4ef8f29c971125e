import { sendPage } from "../../../../../core/pages/index.ts";
import type { RouteContext } from "../../account-route.ts";
import { changeEmailPage } from "../../pages/link-pages.ts";

/** `GET /auth/change-email?token=…`: the page that the link opens. Only its button changes the address. */
export function getChangeEmail({ response }: RouteContext): void {
  sendPage(response, 200, changeEmailPage());
}
