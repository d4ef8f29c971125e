import { body, noBody } from "../body.ts";
import { type AuthRoute, anybody, route, signedIn, whoever } from "../route.ts";
import { createApiKey, createApiKeyBody } from "./api-keys/create.ts";
import { listOwnApiKeys } from "./api-keys/list.ts";
import { revokeApiKey, revokeApiKeyBody } from "./api-keys/revoke.ts";
import { forgotPassword } from "./forgot-password.ts";
import { login, loginBody } from "./login.ts";
import { logout, logoutBody } from "./logout.ts";
import { me } from "./me.ts";
import { refreshToken, refreshTokenBody } from "./refresh-token.ts";

/** The routes below `auth_prefix` (contract: "Auth: account" and after it). */
export const accountRoutes: readonly AuthRoute[] = [
  route.post("/login", anybody, loginBody, login),
  route.post("/refresh-token", anybody, refreshTokenBody, refreshToken),
  route.post("/logout", whoever, logoutBody, logout),
  route.get("/me", signedIn, noBody, me),
  route.post("/get-current-user", signedIn, body({}), me),
  route.post("/api-keys/create", signedIn, createApiKeyBody, createApiKey),
  route.get("/api-keys/list", signedIn, noBody, listOwnApiKeys),
  route.delete("/api-keys/revoke", signedIn, revokeApiKeyBody, revokeApiKey),
  route.page("/forgot-password", forgotPassword),
];
