import type { RequestHandler } from "express";
import { isServed } from "../../../../vocabulary/account-features.ts";
import { compose } from "../../../core/http/index.ts";
import type { AccountRoute } from "./account-route.ts";
import { authRouter } from "./account-router.ts";
import { type AccountsOptions, accountServices } from "./account-services.ts";
import type { Authenticator } from "./authenticate.ts";
import { administrationRoutes } from "./routes/admin/index.ts";
import { accountRoutes } from "./routes/index.ts";
import { signInFiles } from "./sign-in-page/sign-in-page.ts";

/** The API of the accounts for other modules. */
export interface AccountsFront {
  /** Serves the routes below `auth_prefix`. */
  readonly router: RequestHandler;
  /** Serves the routes below `/admin`. */
  readonly adminRouter: RequestHandler;
  readonly authenticator: Authenticator;
  /** Acts on accounts by event, since the start of the process. */
  readonly events: () => ReadonlyMap<string, number>;
  /** Runs in the caller's share of the queue (`shareOf`). Slow on purpose. */
  readonly hashPassword: (password: string, share: string) => Promise<string>;
}

export function createAccounts(options: AccountsOptions): AccountsFront {
  const services = accountServices(options);
  const { authenticator, events, features, passwords } = services;
  const hashPassword: AccountsFront["hashPassword"] = (password, share) => passwords.hash(password, share);
  const router = (routes: readonly AccountRoute[]) =>
    authRouter(
      routes.filter((route) => isServed(route, features)),
      services,
    );
  const routes = router(accountRoutes);
  const routers = {
    router: features.has("development") ? compose(signInFiles(), routes) : routes,
    adminRouter: router(administrationRoutes),
  };
  return { ...routers, authenticator, events: () => events.counts, hashPassword };
}
