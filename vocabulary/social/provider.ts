/**
 * How people sign in with an account that they have elsewhere: what the rows of the table of providers say. Texts with
 * `{name}` are templates. In an address or a parameter `{name}` is a setting, `client_id`, `client_secret`, or what the
 * conversation has brought by then: `{access_token}`, a value from the browser such as `{shop}`, or `{…}` with a path.
 *
 * A path leads into the profile, or with a prefix into another answer: `token:` of the token request, `details:` of the
 * second call, `emails:` of the call for addresses, `profile:` the profile by its name, `id_token:` and `access_token:` the
 * claims of tokens, `form:` what the browser brought, `openid:` and `saml:` attributes. `a.b[0].c` goes down, `[k=v]` picks
 * the first member with that value, `*` the first member, `|` takes the first that is not empty; `#last` is what is
 * after the last `/`. A path that begins with `=` is a text with `{path}` in it.
 */
export type ProviderPath = string;

/** Parameters of the browser that become a part of an address. */
export type BrowserParameter = "shop" | "openid_lj_user" | "openid_identifier" | "domain_prefix" | "idp";

/** Parameters or headers, by name; the values are templates. */
export type Templates = Readonly<Record<string, string>>;

/** Where an answer says who someone is. */
export interface UserPaths {
  /** An id that stays with the account, even if the person changes names. */
  readonly uid: ProviderPath;
  readonly email?: ProviderPath;
  /** Where it is that the address was confirmed. Without it no e-mail of the provider is ever trusted. */
  readonly emailVerified?: ProviderPath;
  /** The value that confirms it: `true` (default), the number 1, or a time. */
  readonly emailVerifiedBy?: "flag" | "number" | "moment";
  /** More that must be true before the e-mail counts as confirmed: a path and the text that is there. */
  readonly emailVerifiedIf?: Templates;
  readonly firstName?: ProviderPath;
  readonly lastName?: ProviderPath;
  readonly fullName?: ProviderPath;
}

/** How a call carries the access token; without it as a Bearer header. */
export type TokenCarrier =
  | `query:${string}`
  | `form:${string}`
  | `header:${string}`
  | `scheme:${string}`
  | "none";

/** A signature that a call carries as a parameter, each made as its provider wants it. */
export type CallSignature = "facebook-proof" | "mailru-signature" | "odnoklassniki-signature";

/** A call with the access token. */
export interface ProviderCall {
  readonly url: string;
  readonly method?: "POST";
  readonly token?: TokenCarrier;
  readonly parameters?: Templates;
  readonly headers?: Templates;
  readonly signature?: { readonly parameter: string; readonly by: CallSignature };
  /** Not made where this path leads somewhere already. */
  readonly unless?: ProviderPath;
}

/** The settings of a provider, beyond those that all of its protocol read. */
export interface ProviderSettings {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  readonly defaults?: Templates;
  /** The possible values of a setting, and their text in templates. */
  readonly choices?: Readonly<Record<string, Templates>>;
  /** The start of a setting, in any case. */
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
  /** Settings and what they must be for the e-mail to be trusted: another server may confirm none. */
  readonly trustedAt?: Templates;
  /** Parameters that the sign-in page must send, and those that the provider adds to the callback. */
  readonly loginParameter?: BrowserParameter;
  readonly callbackParameter?: BrowserParameter;
}

/** A provider of OAuth 2.0 (RFC 6749) and how it differs. */
export interface OAuth2Provider extends Row {
  readonly protocol: "oauth2";
  readonly authorize: {
    readonly url: string;
    readonly parameters?: Templates;
    /** Is appended to the address: `#wechat_redirect`. */
    readonly fragment?: string;
  };
  readonly scopes: readonly string[];
  /** Between two scopes; without it a blank. */
  readonly scopeSeparator?: string;
  /** `false`: the provider refuses it. `hex`: the challenge is in hex. Without it S256 (RFC 7636). */
  readonly pkce?: false | "hex";
  readonly token: TokenRequest;
  readonly profile?: ProviderCall;
  readonly details?: ProviderCall;
  readonly emails?: ProviderCall;
  /** Made before the profile is asked for: a header of the answer is `{username}` there. */
  readonly nameFrom?: { readonly url: string; readonly header: string };
  /** Must be answered with a 2xx, or no one signs in. */
  readonly membership?: ProviderCall;
  /** Paths, and what must be there where something does: providers that tell a failure with status 200. */
  readonly success?: Templates;
  /** Names that differ from `client_id`, `client_secret`, `redirect_uri` and `scope`. */
  readonly names?: {
    readonly id?: string;
    readonly secret?: string;
    readonly redirect?: string;
    readonly scope?: string;
  };
  /** The access token is a JWT that says who someone is, signed with the key of the setting `public_key`. */
  readonly accessTokenClaims?: true;
  /** id_tokens of mobile sign-in. */
  readonly idToken?: IdTokenKeys;
  /** The parameters of the browser must be signed (Shopify). */
  readonly signedCallback?: true;
  /** Texts of answers come percent-encoded. */
  readonly percentEncoded?: true;
  /** Domains to which an address out of an answer may lead. */
  readonly hosts?: readonly string[];
}

/** Whose id_tokens are taken, and where the keys are. */
export interface IdTokenKeys {
  readonly issuers: readonly string[];
  readonly keys: string;
}

/** How the code is exchanged. */
export interface TokenRequest {
  readonly url: string;
  readonly method?: "GET";
  /** Where id and secret are; without it in the body. */
  readonly credentials?: "basic" | "basic-and-body" | "id-in-body" | "none";
  readonly parameters?: Templates;
  readonly headers?: Templates;
  readonly body?: "json";
  /** Parameters that the provider does not take. */
  readonly without?: readonly ("grant_type" | "redirect_uri")[];
  /** Where the access token is, if not at `access_token`. */
  readonly accessToken?: ProviderPath;
}

/** A provider of OpenID Connect: its addresses come from discovery, unless settings give them. */
export interface OpenIdConnectProvider extends Row {
  readonly protocol: "oidc";
  /** The base of `/.well-known/openid-configuration`. */
  readonly issuer: string;
  /** The path of an issuer whose discovery document is at its host. */
  readonly discoveryAtHostFor?: string;
  /** Where the provider is known not to move; discovery is not asked then. */
  readonly endpoints?: { readonly authorize: string; readonly token: string; readonly keys: string };
  /** The required `iss`, if it differs from the discovery document's; `{tid}` is a claim of the token. */
  readonly idTokenIssuer?: string | readonly string[];
  readonly parameters?: Templates;
  readonly scopes: readonly string[];
  readonly pkce?: false;
  /** `false`: the provider puts none into its tokens. */
  readonly nonce?: false;
  /** `false`: all is in the id_token; the userinfo that discovery names takes tokens of other services. */
  readonly userinfo?: false;
  /** Where id and secret are in the token request. */
  readonly tokenCredentials: "basic" | "body";
  /** The secret is a key that signs a JWT (Apple). */
  readonly signedSecret?: true;
  /** Claims of the id_token, and what they must be where that is known; capitals do not count. */
  readonly claims?: Templates;
  /** Ways to a claim, with `|` between them, and the settings that list what may be there: one of them is enough. */
  readonly allowed?: Templates;
  /** Answers by a POST from another site, with the user's name in it. */
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
  /** The start of each identity. */
  readonly identityPrefix?: string;
  /** Namespace of attribute exchange. */
  readonly attributes?: "axschema" | "openid-schema";
}

/** Ways to sign in that one provider has, and no standard. */
export type CustomFlow =
  | "discourse"
  | "google-onetap"
  | "lastfm"
  | "loginradius"
  | "pocket"
  | "telegram"
  | "twilio"
  | "vk-openapi";

/** A provider with a way of its own. */
export interface CustomFlowProvider extends Row {
  readonly protocol: "own";
  readonly flow: CustomFlow;
  /** Where the browser goes; without it a page of the app begins the sign-in. */
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

/** Anyone who takes a name that was given up would take the account here. */
export const renamableNote = "identifies users by a name that they can give up, and another person can take";

export const anotherUserNote =
  "describes users of an account, and the first of them need not be the one who signed in";
