export { type AccessClaims, AccessTokens } from "./access-token.ts";
export { authenticator, guest } from "./credential.ts";
export { passwordHasher } from "./password-hasher.ts";
