export { guest } from "../access/index.ts";
export { type AccountServices, type AccountsOptions, accountServices } from "./account-services.ts";
export { Authenticator, type AuthenticatorOptions } from "./authenticator.ts";
export { authRouter } from "./http/account-router.ts";
export { accountRoutes } from "./http/routes/index.ts";
export { PasswordQueue } from "./passwords/password-queue.ts";
export { type AccessClaims, AccessTokens } from "./tokens/access-token.ts";
