export { guest } from "../access/index.ts";
export { type AccessClaims, AccessTokens } from "./access-token.ts";
export { authenticator } from "./credential.ts";
export { passwordHasher } from "./password-hasher.ts";
