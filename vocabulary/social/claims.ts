import type { UserPaths } from "./provider.ts";

/** The claims of OpenID Connect Core, 5.1, but for whether the e-mail was confirmed. */
export const unconfirmedClaims: UserPaths = {
  uid: "sub",
  email: "email",
  firstName: "given_name",
  lastName: "family_name",
  fullName: "name",
};

/** The claims of OpenID Connect Core, 5.1. */
export const standardClaims: UserPaths = { ...unconfirmedClaims, emailVerified: "email_verified" };

/** What a server of OpenID 2.0 may tell, by simple registration or attribute exchange. */
export const openIdAttributes: UserPaths = {
  uid: "openid:identity_url",
  email: "openid:email",
  firstName: "openid:first_name",
  lastName: "openid:last_name",
  fullName: "openid:fullname",
};
