import { beforeEach } from "vitest";
import type { SocialSettings } from "#runtime/core/config/index";
import { readSocial } from "#runtime/core/config/social-settings";
import type { Reply } from "../request.ts";
import { type Peers, type Settings, type TestService, testService } from "../service.ts";
import { type Player, player } from "./player.ts";

/** Settings of providers by name, and their secrets; what is left out is an id and a secret. */
export type Declared = Readonly<
  Record<
    string,
    { readonly settings?: Readonly<Record<string, unknown>>; readonly secrets?: Record<string, string> }
  >
>;

/** The base of all addresses of the service in tests. */
export const baseUrl = "https://app.example.com";

/** The settings of social sign-in, checked as a start checks them. */
export function socialSettings(
  providers: Declared,
  more: Partial<Omit<SocialSettings, "providers">> = {},
  production = false,
): SocialSettings {
  const problems: string[] = [];
  const environment: Record<string, string> = {};
  const social: Record<string, Record<string, unknown>> = {};
  for (const [name, { settings = {}, secrets }] of Object.entries(providers)) {
    // Of some providers an app has no id.
    const all = Object.entries({ client_id: `id-of-${name}`, ...settings });
    social[name] = Object.fromEntries(all.filter(([, value]) => value !== undefined));
    const prefix = `SOCIAL_AUTH_${name.replaceAll(/[-:]/g, "_").toUpperCase()}`;
    for (const [key, value] of Object.entries(secrets ?? { SECRET: `secret-of-${name}` }))
      environment[`${prefix}_${key}`] = value;
  }
  const auth = {
    social_providers: Object.keys(providers),
    social,
    social_placeholder_domain: "social.invalid",
    social_redirect_urls: [],
  };
  const source = { environment, production, baseUrl };
  const read = readSocial({ auth, auth_prefix: "/auth" }, source, problems, []);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return { ...read, ...more };
}

/** A service with players of its providers. Rows, calls and log lines of earlier tests are gone. */
export async function socialService(social: SocialSettings, settings: Settings = {}, more: Peers = {}) {
  const provider = await player();
  const peers = { resolveProvider: provider.resolve, ...more };
  const service = await testService({ baseUrl, social, ...settings }, peers);
  beforeEach(async () => {
    await service.store({});
    provider.heard.length = 0;
    service.log.length = 0;
  });
  return {
    service,
    provider,
    users: () =>
      service.query(
        "select s.provider, s.uid, u.email, u.is_verified, u.first_name, u.last_name from auth_social s join users u on u.id = s.user_id",
      ),
    /** Why sign-ins failed, as the log says it. */
    reasons: () => service.log.flatMap(({ reason }) => (reason === undefined ? [] : [reason])),
  };
}

/** A sign-in that has begun: where the browser is sent, and the cookie that it got. */
export interface Begun {
  readonly location: URL;
  readonly state: string;
  /** As a browser sends it back. */
  readonly cookie: string;
  readonly reply: Reply;
}

/** `GET /auth/{provider}/login`. */
export async function begin(service: TestService, provider: string, query = ""): Promise<Begun> {
  const reply = await service.send({ method: "GET", path: `/auth/${provider}/login${query}` });
  const location = new URL(String(reply.headers.location ?? "https://nowhere.invalid"));
  const [cookie = ""] = String(reply.headers["set-cookie"] ?? "").split(";");
  return { location, state: location.searchParams.get("state") ?? "", cookie, reply };
}

/** `GET /auth/{provider}/callback`, in the browser that the cookie is of. */
export function comeBack(
  service: TestService,
  provider: string,
  parameters: Readonly<Record<string, string>>,
  cookie: string | null,
): Promise<Reply> {
  const path = `/auth/${provider}/callback?${new URLSearchParams(parameters)}`;
  return service.send({ method: "GET", path, headers: cookie === null ? {} : { cookie } });
}

/** An account at GitHub, which stands for any provider of OAuth 2.0. */
export interface GithubAccount {
  readonly id: number | string;
  readonly name?: string | null;
  /** Null if the account has none. */
  readonly email?: string | null;
  readonly verified?: boolean;
}

/** Plays GitHub for the next user who signs in. Every code but `good` is refused. */
export function playGithub(
  { play }: Player,
  { id, name = "Ann Lee", email = "ann@example.com", verified = true }: GithubAccount,
): void {
  play("POST https://github.com/login/oauth/access_token", ({ form }) =>
    form.get("code") === "good"
      ? { json: { access_token: "gho_access", token_type: "bearer", scope: "user:email" } }
      : { json: { error: "bad_verification_code", error_description: "The code is wrong." } },
  );
  play("GET https://api.github.com/user", () => ({ json: { id, login: "ann", name, email: null } }));
  play("GET https://api.github.com/user/emails", () => ({
    json: [
      { email: "other@example.com", primary: false, verified: true },
      ...(email === null ? [] : [{ email, primary: true, verified }]),
    ],
  }));
}

/** A sign-in that a page of the app has begun: it has a state, and its browser a cookie. */
export interface PageSignIn {
  readonly reply: Reply;
  readonly state: string;
  readonly cookie: string;
}

/** `GET /auth/{provider}/login` of a provider that a page starts. */
export async function beginOnPage(service: TestService, provider: string): Promise<PageSignIn> {
  const reply = await service.send({ method: "GET", path: `/auth/${provider}/login` });
  const [cookie = ""] = String(reply.headers["set-cookie"] ?? "").split(";");
  return { reply, state: stateIn(reply), cookie };
}

/** `POST /auth/{provider}/callback?state=…` with a form, as the script of a provider on a page sends it. */
export function postForm(
  service: TestService,
  provider: string,
  { state, cookie }: Pick<PageSignIn, "state" | "cookie">,
  form: Readonly<Record<string, string>>,
): Promise<Reply> {
  return service.send({
    method: "POST",
    path: `/auth/${provider}/callback?state=${encodeURIComponent(state)}`,
    headers: { "content-type": "application/x-www-form-urlencoded", cookie },
    body: Buffer.from(new URLSearchParams(form).toString()),
  });
}

function stateIn({ envelope }: Reply): string {
  const { data } = envelope;
  return typeof data === "object" && data !== null && "state" in data ? String(data.state) : "";
}
