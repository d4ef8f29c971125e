import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";
import { listening } from "../listening.ts";

/** `oidc-provider`, which is certified by the OpenID Foundation, on this machine. */
export interface CertifiedProvider {
  readonly origin: string;
  /** Each path that was asked for. */
  readonly asked: string[];
  /** Signs with a new key from now on; the old one is published no more. */
  rotate(): Promise<void>;
  /** The user signs in and agrees, on its pages. Returns the last redirect's address. */
  walk(location: URL, login: string): Promise<URL>;
}

/** Starts one for the calling test file. */
export async function certifiedProvider(clients: readonly ClientMetadata[]): Promise<CertifiedProvider> {
  let serve: ReturnType<Provider["callback"]> | null = null;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push((request.url ?? "").split("?")[0] ?? "");
    serve?.(request, response);
  });
  const origin = await listening(server);
  const rotate = async () => {
    const provider = new Provider(origin, await configuration(clients));
    serve = provider.callback();
  };
  await rotate();
  return { origin, asked, rotate, walk: (location, login) => walk(origin, location, login) };
}

let keys = 0;

async function configuration(clients: readonly ClientMetadata[]): Promise<Configuration> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  keys += 1;
  return {
    clients: [...clients],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: `key-${keys}`, alg: "RS256", use: "sig" }] },
    cookies: { keys: ["of no value"] },
    // Without them the provider logs a warning at each use.
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    pkce: { required: () => true, methods: ["S256"] },
    claims: { email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        email: `${sub}@example.com`,
        email_verified: true,
        given_name: "Ann",
        family_name: "Lee",
      }),
    }),
  };
}

/** Follows redirects and sends the forms of `oidc-provider`'s pages for development, as a browser does. */
async function walk(origin: string, location: URL, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next: { url: URL; body?: URLSearchParams } = { url: location };
  for (let step = 0; step < 20; step++) {
    if (next.url.origin !== origin) return next.url;
    const answer = await visit(next.url, cookies, next.body);
    const to = answer.headers.get("location");
    if (to !== null) next = { url: new URL(to, next.url) };
    else next = formOf(await answer.text(), next.url, login);
  }
  throw new Error("the pages of the provider lead nowhere");
}

async function visit(url: URL, cookies: Map<string, string>, body?: URLSearchParams): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(url, {
    redirect: "manual",
    headers: { cookie },
    ...(body !== undefined && { method: "POST", body }),
  });
  for (const line of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }
  return answer;
}

function formOf(page: string, url: URL, login: string): { url: URL; body: URLSearchParams } {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
  if (action === undefined || prompt === undefined) throw new Error(`no form: ${page.slice(0, 500)}`);
  return { url: new URL(action, url), body: new URLSearchParams({ prompt, login, password: "any" }) };
}
