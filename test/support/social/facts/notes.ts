import type { Placed } from "./document-with.ts";

/** What the `notes` of the facts tell beside their fields, as far as a request or an answer of OAuth 2.0 follows from it. */
export interface Note {
  /** Parameters that the token request does not have, or need not have. */
  readonly tokenWithout?: readonly string[];
  readonly tokenMay?: readonly string[];
  /** Where the token answer has the access token. */
  readonly accessTokenAt?: string;
  /** When the token answer is JSON; else it is a form. */
  readonly tokenJson?: "accept" | "fmt" | "never" | "output";
  readonly redirectParameter?: "redirect_url";
  readonly scopes?: readonly string[];
  readonly fragment?: string;
  /** Members that every answer has where all is well. */
  readonly success?: Readonly<Record<string, Placed>>;
  /** An answer with status 200 that tells of a failure. */
  readonly failure?: Readonly<Record<string, unknown>>;
  /** The id is a number in JSON. */
  readonly numericUid?: true;
  /** Texts come percent-encoded. */
  readonly percentEncoded?: true;
  readonly mediaType?: string;
  /** Members of the profile without which it counts for less, or which another address needs. */
  readonly profile?: Readonly<Record<string, Placed>>;
  readonly token?: Readonly<Record<string, string>>;
  /** Whoever is no member is refused. */
  readonly membership?: string;
  /** An address whose answer has a header. */
  readonly nameFrom?: { readonly url: string; readonly header: string };
  /** The provider states no e-mail that could be believed. */
  readonly emailIsWorthless?: true;
  /** Both the header and the body hold the credentials. */
  readonly credentialsTwice?: true;
  /** Of the credentials the body holds the id alone. */
  readonly secretElsewhere?: true;
  readonly pkce?: "hex" | "none";
}

/** The workspace that ids of Slack's users are unique in. */
export const team = "T1";

const github: Note = { tokenJson: "accept", numericUid: true, failure: { error: "bad_verification_code" } };
const numeric: Note = { numericUid: true };
const weixin: Note = {
  tokenMay: ["redirect_uri"],
  fragment: "#wechat_redirect",
  token: { openid: "open-id" },
  mediaType: "text/plain",
  failure: { errcode: 40029, errmsg: "invalid code" },
};
const member = (url: string): Note => ({ ...github, profile: { login: "ann-lee" }, membership: url });

export const notes: Readonly<Record<string, Note>> = {
  "bitbucket-datacenter-oauth2": {
    numericUid: true,
    nameFrom: { url: "{url}/rest/api/latest/application-properties", header: "X-AUSERNAME" },
  },
  chatwork: { numericUid: true },
  classlink: numeric,
  coding: { success: { code: { digits: "0" } }, numericUid: true, failure: { code: 1, msg: "no" } },
  deezer: {
    tokenWithout: ["grant_type", "redirect_uri"],
    tokenJson: "output",
    numericUid: true,
    failure: { error: { type: "OAuthException", message: "no", code: 300 } },
  },
  docker: { token: { username: "ann-lee" } },
  dribbble: numeric,
  eveonline: numeric,
  facebook: { failure: { error: { message: "no", type: "OAuthException", code: 190 } } },
  gitea: numeric,
  github,
  "github-app": github,
  "github-enterprise": github,
  "github-enterprise-org": member("{api_url}/orgs/{name}/members/ann-lee"),
  "github-enterprise-team": member("{api_url}/teams/{id}/members/ann-lee"),
  "github-org": member("https://api.github.com/orgs/{name}/members/ann-lee"),
  "github-team": member("https://api.github.com/teams/{id}/members/ann-lee"),
  gitlab: numeric,
  hubspot: numeric,
  justgiving: { credentialsTwice: true },
  kakao: { profile: { "kakao_account.is_email_valid": true }, numericUid: true },
  line: { emailIsWorthless: true },
  "linkedin-mobile-oauth2": { pkce: "none" },
  "linkedin-oauth2": { pkce: "none" },
  lyft: { tokenWithout: ["redirect_uri"] },
  mailchimp: numeric,
  "mailru-oauth2": { percentEncoded: true },
  meetup: numeric,
  naver: { success: { resultcode: "00" }, failure: { resultcode: "024", message: "no" } },
  "paypal-oauth2": { tokenWithout: ["redirect_uri"] },
  "paypal-oauth2-sandbox": { tokenWithout: ["redirect_uri"] },
  podio: numeric,
  qiita: { tokenWithout: ["grant_type", "redirect_uri"], accessTokenAt: "token", numericUid: true },
  qq: {
    tokenJson: "fmt",
    mediaType: "text/html",
    success: { ret: { digits: "0" } },
    failure: { ret: 100016, msg: "access token check failed" },
  },
  shopify: { tokenWithout: ["grant_type", "redirect_uri"] },
  slack: {
    profile: { "team.id": team },
    success: { ok: true },
    failure: { ok: false, error: "invalid_code" },
  },
  soundcloud: numeric,
  stackoverflow: { tokenJson: "never", numericUid: true },
  strava: numeric,
  stripe: { tokenWithout: ["redirect_uri"], tokenMay: ["scope"], secretElsewhere: true },
  surveymonkey: { token: { access_url: "https://api.eu.surveymonkey.com" } },
  taobao: { percentEncoded: true },
  tiktok: {
    pkce: "hex",
    success: { "error.code": "ok" },
    failure: { error: { code: "access_token_invalid" } },
  },
  untappd: {
    accessTokenAt: "response.access_token",
    redirectParameter: "redirect_url",
    success: { "meta.http_code": { digits: "200" } },
    numericUid: true,
    failure: { meta: { http_code: 500, error_detail: "no" }, response: {} },
  },
  "vk-oauth2": {
    numericUid: true,
    failure: { error: { error_code: 5, error_msg: "User authorization failed" } },
  },
  weixin,
  weixinapp: { ...weixin, scopes: ["snsapi_userinfo"] },
  yammer: { accessTokenAt: "access_token.token", numericUid: true },
  "yammer-staging": { accessTokenAt: "access_token.token", numericUid: true },
};
