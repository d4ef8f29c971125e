import { sendPage } from "../../../../core/pages/index.ts";
import type { RouteContext } from "../account-route.ts";
import { signInPage } from "../sign-in-page/sign-in-page.ts";

/** `GET /auth/sign-in`: a page to test accounts, outside production. */
export function signIn({ response, services }: RouteContext): void {
  const beginnings = [...services.social.conversations].flatMap(([name, { begin, provider }]) => {
    const parameter = begin === null ? null : provider.row.loginParameter;
    return parameter === undefined ? [] : [[name, { parameter }] as const];
  });
  sendPage(
    response,
    200,
    signInPage({
      features: services.features,
      registration: services.config.auth.registration,
      columns: services.columns.ofOwner,
      beginnings: Object.fromEntries(beginnings),
    }),
  );
}
