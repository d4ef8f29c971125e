export { guest } from "../access/index.ts";
export { type AccountServices, type AccountsOptions, accountServices } from "./accounts.ts";
export { Authenticator, type AuthenticatorOptions } from "./authenticator.ts";
export { PasswordQueue } from "./passwords/password-queue.ts";
export { authRouter } from "./router.ts";
export { accountRoutes } from "./routes/index.ts";
export { type AccessClaims, AccessTokens } from "./tokens/access-token.ts";
