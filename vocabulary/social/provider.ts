/**
 * A path to a value in the profile, or with a prefix in another response: `token:` the token response,
 * `details:` the second call, `emails:` the call for addresses, `profile:` the profile, `id_token:` and
 * `access_token:` the claims of tokens, `form:` the parameters of the callback, `openid:` and `saml:`
 * attributes.
 *
 * `a.b[0].c` leads to members, `[k=v]` to the first element with that value, `*` to the first member. `a|b`
 * is the first path with a value, `a#last` the part of a value after its last `/`. `=text {path}` is a
 * template.
 */
export type ProviderPath = string;

/** Query parameters of the browser that become a part of a URL. */
export type BrowserParameter = "shop" | "openid_lj_user" | "openid_identifier" | "domain_prefix" | "idp";

/**
 * Templates by name, such as those of parameters or headers. `{name}` is a setting, a secret, `client_id`, a
 * value of the sign-in such as `{access_token}` or `{shop}`, or a path.
 */
export type Templates = Readonly<Record<string, string>>;

/** The paths to the user's data. */
export interface UserPaths {
  /** An id that stays the same if the user changes names. */
  readonly uid: ProviderPath;
  readonly email?: ProviderPath;
  /** The path to the value that confirms the e-mail. Without it, no e-mail of the provider is trusted. */
  readonly emailVerified?: ProviderPath;
  /** The value that confirms it: `true` (default), the number 1, or a time. */
  readonly emailVerifiedBy?: "flag" | "number" | "moment";
  /** Other values that a confirmed e-mail needs, by path. */
  readonly emailVerifiedIf?: Templates;
  readonly firstName?: ProviderPath;
  readonly lastName?: ProviderPath;
  readonly fullName?: ProviderPath;
}

/** Where a call has the access token. Default: `scheme:Bearer`, the Authorization header. */
export type TokenCarrier =
  | `query:${string}`
  | `form:${string}`
  | `header:${string}`
  | `scheme:${string}`
  | "none";

/** A provider-specific signature, which a call has as a parameter. */
export type CallSignature = "facebook-proof" | "mailru-signature" | "odnoklassniki-signature";

/** A call with the access token. */
export interface ProviderCall {
  readonly url: string;
  readonly method?: "POST";
  readonly token?: TokenCarrier;
  readonly parameters?: Templates;
  readonly headers?: Templates;
  readonly signature?: { readonly parameter: string; readonly by: CallSignature };
  /** The call is skipped if this path has a value. */
  readonly unless?: ProviderPath;
}

/** The settings of a provider, in addition to those of its protocol. */
export interface ProviderSettings {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  readonly defaults?: Templates;
  /** The allowed values of a setting, and their text in templates. */
  readonly choices?: Readonly<Record<string, Templates>>;
  /** The required start of a setting, in lower case. Case is ignored. */
  readonly beginsWith?: Templates;
  /** Secrets: they are only in the environment, as `SOCIAL_AUTH_<NAME>_<SETTING>`. */
  readonly secrets?: readonly string[];
}

interface Row {
  readonly title: string;
  readonly user: UserPaths;
  readonly settings?: ProviderSettings;
  /** The credentials of the app at the provider; default an id and a secret. */
  readonly app?: "id" | "secret" | "none";
  /** The npm package that an app must install to use the provider. */
  readonly package?: "@node-saml/node-saml" | "@shopify/shopify-api" | "google-auth-library";
  /** A warning at the start. */
  readonly warning?: string;
  /** The settings, with the values for which the e-mail is trusted. Other servers may not confirm e-mails. */
  readonly trustedAt?: Templates;
  /** The parameter that a login needs, and the parameter that the provider adds to the callback. */
  readonly loginParameter?: BrowserParameter;
  readonly callbackParameter?: BrowserParameter;
}

/** A provider of OAuth 2.0 (RFC 6749), and its differences from the standard. */
export interface OAuth2Provider extends Row {
  readonly protocol: "oauth2";
  readonly authorize: {
    readonly url: string;
    readonly parameters?: Templates;
    /** The fragment of the URL: `wechat_redirect`. */
    readonly fragment?: string;
  };
  readonly scopes: readonly string[];
  /** Default: a space. */
  readonly scopeSeparator?: string;
  /** `false`: the provider refuses PKCE. `hex`: S256 in hex. Default: S256 (RFC 7636). */
  readonly pkce?: false | "hex";
  readonly token: TokenRequest;
  readonly profile?: ProviderCall;
  readonly details?: ProviderCall;
  readonly emails?: ProviderCall;
  /** A call before the profile. The header of its response is `{username}` in the call for the profile. */
  readonly nameFrom?: { readonly url: string; readonly header: string };
  /** A call whose status must be 2xx. Otherwise the sign-in is refused. */
  readonly membership?: ProviderCall;
  /** Values by path, for providers that report failures with status 200. A missing value is not a failure. */
  readonly success?: Templates;
  /** Names that differ from `client_id`, `client_secret`, `redirect_uri` and `scope`. */
  readonly names?: {
    readonly id?: string;
    readonly secret?: string;
    readonly redirect?: string;
    readonly scope?: string;
  };
  /** The access token is a JWT with the user's data. The setting `public_key` verifies it. */
  readonly accessTokenClaims?: true;
  /** id_tokens of mobile sign-in. */
  readonly idToken?: IdTokenKeys;
  /** The parameters of the browser must be signed (Shopify). */
  readonly signedCallback?: true;
  /** Strings in responses are percent-encoded. */
  readonly percentEncoded?: true;
  /** The allowed domains of `access_url` in the token response. */
  readonly hosts?: readonly string[];
}

/** The accepted issuers of id_tokens, and the URL of their keys. */
export interface IdTokenKeys {
  readonly issuers: readonly string[];
  readonly keys: string;
}

/** How the authorization code is exchanged for tokens. */
export interface TokenRequest {
  readonly url: string;
  readonly method?: "GET";
  /** Where the request has client id and secret. Default: in the body. */
  readonly credentials?: "basic" | "basic-and-body" | "id-in-body" | "none";
  readonly parameters?: Templates;
  readonly headers?: Templates;
  readonly body?: "json";
  /** Parameters that the provider refuses. */
  readonly without?: readonly ("grant_type" | "redirect_uri")[];
  /** The path to the access token. Default: `access_token`. */
  readonly accessToken?: ProviderPath;
}

/** A provider of OpenID Connect. Its URLs come from discovery, unless settings override them. */
export interface OpenIdConnectProvider extends Row {
  readonly protocol: "oidc";
  /** The base of `/.well-known/openid-configuration`. */
  readonly issuer: string;
  /** If the issuer has this path, the discovery document is at the root of its host. */
  readonly discoveryAtHostFor?: string;
  /** Fixed endpoints, instead of discovery. */
  readonly endpoints?: { readonly authorize: string; readonly token: string; readonly keys: string };
  /** The required `iss`, if it differs from the discovery document's; `{tid}` is a claim of the token. */
  readonly idTokenIssuer?: string | readonly string[];
  readonly parameters?: Templates;
  readonly scopes: readonly string[];
  readonly pkce?: false;
  /** `false`: the provider's tokens have no nonce. */
  readonly nonce?: false;
  /** `false`: the id_token has all claims, and the userinfo endpoint is for tokens of other services. */
  readonly userinfo?: false;
  /** Where the token request has client id and secret. */
  readonly tokenCredentials: "basic" | "body";
  /** The secret is a key that signs a JWT (Apple). */
  readonly signedSecret?: true;
  /** Required claims of the id_token, by path. Case is ignored. */
  readonly claims?: Templates;
  /**
   * The settings that list accepted values of a claim, by its paths (`a|b`). The user must have one of them.
   */
  readonly allowed?: Templates;
  /** The callback is a cross-site POST, with the user's name. */
  readonly formPost?: true;
}

/** A provider of OAuth 1.0a (RFC 5849), signed by HMAC-SHA1. */
export interface OAuth1Provider extends Row {
  readonly protocol: "oauth1";
  readonly request: {
    readonly url: string;
    readonly method: "GET" | "POST";
    readonly parameters?: Templates;
  };
  readonly authorize: { readonly url: string; readonly parameters?: Templates };
  readonly token: { readonly url: string; readonly method?: "GET" };
  readonly profile?: ProviderCall;
  readonly details?: ProviderCall;
  /** The profile is a JWT, signed by HMAC with the app's secret (MediaWiki). */
  readonly profileClaims?: true;
}

/** A provider of OpenID 2.0. The app has no credentials there. */
export interface OpenId2Provider extends Row {
  readonly protocol: "openid2";
  /** The server, or the identifier of a user on it. */
  readonly url: string;
  readonly profile?: ProviderCall;
  /** The prefix that each identity must have. */
  readonly identityPrefix?: string;
  /** Namespace of attribute exchange. */
  readonly attributes?: "axschema" | "openid-schema";
}

/** Protocols of a single provider. */
export type CustomFlow =
  | "discourse"
  | "google-onetap"
  | "lastfm"
  | "loginradius"
  | "pocket"
  | "telegram"
  | "twilio"
  | "vk-openapi";

/** A provider with its own protocol. */
export interface CustomFlowProvider extends Row {
  readonly protocol: "custom";
  readonly flow: CustomFlow;
  /** The URL of the redirect. Without it, a page of the app begins the sign-in. */
  readonly authorize?: string;
  readonly request?: string;
  readonly token?: string;
  readonly profile?: ProviderCall;
  readonly idToken?: IdTokenKeys;
}

/** SAML 2.0 with any number of identity providers. */
export interface SamlProvider extends Row {
  readonly protocol: "saml";
}

export type SocialProvider =
  | OAuth2Provider
  | OpenIdConnectProvider
  | OAuth1Provider
  | OpenId2Provider
  | CustomFlowProvider
  | SamlProvider;

/** The claims of OpenID Connect Core, 5.1, except `email_verified`. */
export const unconfirmedClaims: UserPaths = {
  uid: "sub",
  email: "email",
  firstName: "given_name",
  lastName: "family_name",
  fullName: "name",
};

/** The claims of OpenID Connect Core, 5.1. */
export const standardClaims: UserPaths = { ...unconfirmedClaims, emailVerified: "email_verified" };

/** Attributes that a server of OpenID 2.0 can send, by simple registration or attribute exchange. */
export const openIdAttributes: UserPaths = {
  uid: "openid:identity_url",
  email: "openid:email",
  firstName: "openid:first_name",
  lastName: "openid:last_name",
  fullName: "openid:fullname",
};

/** Warnings about providers at the start. */

export const switchedOffNote = "is believed to be switched off by its owner";

/** The next user with this name also gets the account. */
export const renamableNote = "identifies users by a name that they can give up, and another person can take";

export const anotherUserNote =
  "returns all users of an account, and the first one is not always the user who signed in";
