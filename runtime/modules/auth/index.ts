export type { AccountsOptions } from "./http/account-services.ts";
export type { Authenticator, Identity } from "./http/authenticate.ts";
export { type AccountsFront, createAccounts } from "./http/create-accounts.ts";
export { accountRoutes } from "./http/routes/index.ts";
export { PasswordQueue } from "./passwords/password-queue.ts";
export { type PasswordRules, requireStrong } from "./passwords/password-rules.ts";
export { type Accounts, createAccount } from "./registration/registrations.ts";
export { type AccessClaims, AccessTokens, signToken } from "./tokens/access-token.ts";
export { emailTaken, findUserByEmail } from "./users/users-table.ts";
