import { createHmac, randomBytes } from "node:crypto";
import type { Player } from "./player.ts";

/** How a server says where people sign in. */
export type Published = "document" | "header" | "meta" | "links";

/** A server of OpenID 2.0. */
export interface OpenId2ServerOptions {
  /** What is looked up: the server itself, or the identity of a user. */
  readonly url: string;
  readonly endpoint: string;
  readonly published?: Published;
  /** Whether `url` is the identity of a user. */
  readonly isIdentity?: boolean;
  readonly localId?: string;
  /** The extensions that the server knows, and the namespace of attribute exchange. */
  readonly knows?: readonly ("sreg" | "http://axschema.org/" | "http://openid.net/schema/")[];
}

/** What a browser brings back, and what a test may change of it before or after it is signed. */
export interface Assertion {
  readonly claimedId: string;
  readonly email: string;
  /** Fields as the server signs them. */
  readonly signedAs?: Readonly<Record<string, string | null>>;
  /** Fields that were changed on the way. */
  readonly forged?: Readonly<Record<string, string | null>>;
}

const specification = "http://specs.openid.net/auth/2.0";

/** Answers as a server does, and takes no request and no signature that is not right. */
export class OpenId2Server {
  readonly #key = randomBytes(32);
  readonly #options: OpenId2ServerOptions;
  /** Nonces that it was not asked about yet. */
  readonly #open = new Set<string>();

  constructor(player: Player, options: OpenId2ServerOptions) {
    this.#options = options;
    const { url, endpoint, published = "document" } = options;
    const xrds = {
      headers: { "content-type": "application/xrds+xml; charset=utf-8" },
      text: this.#document(),
    };
    const elsewhere = new URL("/where/xrds", url).href;
    const localId =
      options.localId === undefined ? "" : `<link rel="openid2.local_id" href='${options.localId}'>`;
    const says = {
      document: xrds,
      header: {
        headers: { "content-type": "text/html", "x-xrds-location": elsewhere },
        text: "<html></html>",
      },
      meta: {
        headers: { "content-type": "text/html" },
        text: `<html><head><meta http-equiv="X-XRDS-Location" content="${elsewhere}"/></head></html>`,
      },
      links: {
        headers: { "content-type": "text/html" },
        text: `<!doctype html><html><HEAD lang="en"><!-- <link rel="openid2.provider" href="https://old.example/"> -->
<link href="${endpoint.replaceAll("&", "&amp;")}" rel="openid.server openid2.provider" />${localId}</head>
<body><link rel="openid2.provider" href="https://evil.example/"></body></html>`,
      },
    }[published];
    player.play(`GET ${addressOf(url)}`, ({ headers }) => {
      if (!String(headers.accept).includes("application/xrds+xml"))
        throw new Error("it is not asked for XRDS");
      return says;
    });
    player.play(`GET ${elsewhere}`, () => xrds);
    player.play(`POST ${addressOf(endpoint)}`, ({ form }) => this.#verify(form));
  }

  /** The query that the browser comes back with, from where it was sent. */
  comeBack(
    location: URL,
    { claimedId, email, signedAs = {}, forged = {} }: Assertion,
  ): Record<string, string> {
    const asked = (name: string) => location.searchParams.get(`openid.${name}`) ?? "";
    this.#requireRequest(location, asked);
    const nonce = `${new Date().toISOString().slice(0, 19)}Z${randomBytes(4).toString("hex")}`;
    const fields = without({
      ns: specification,
      mode: "id_res",
      op_endpoint: this.#options.endpoint,
      claimed_id: claimedId,
      identity: this.#options.localId ?? claimedId.split("#")[0] ?? "",
      return_to: asked("return_to"),
      response_nonce: nonce,
      assoc_handle: "stateless-1",
      ...this.#attributes(asked, email),
      ...signedAs,
    });
    this.#open.add(fields["response_nonce"] ?? "");
    const names = ["signed", ...Object.keys(fields).filter((name) => name !== "mode")];
    const signed = { ...fields, signed: names.join(",") };
    const all = without({ ...signed, sig: this.#signature(signed), ...forged });
    return {
      ...Object.fromEntries(new URL(asked("return_to")).searchParams),
      ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`openid.${name}`, value])),
    };
  }

  #requireRequest(location: URL, asked: (name: string) => string): void {
    const { endpoint, isIdentity = false, url, localId } = this.#options;
    if (addressOf(location.href) !== addressOf(endpoint)) throw new Error("it is another endpoint");
    for (const [name, value] of new URL(endpoint).searchParams)
      if (location.searchParams.get(name) !== value) throw new Error(`${name} got lost`);
    const identifierSelect = `${specification}/identifier_select`;
    const expected = {
      ns: specification,
      mode: "checkid_setup",
      claimed_id: isIdentity ? url : identifierSelect,
      identity: isIdentity ? (localId ?? url) : identifierSelect,
      realm: `${new URL(asked("return_to")).origin}/`,
      "ns.sreg": "http://openid.net/extensions/sreg/1.1",
      "ns.ax": "http://openid.net/srv/ax/1.0",
      "ax.mode": "fetch_request",
    };
    for (const [name, value] of Object.entries(expected))
      if (asked(name) !== value) throw new Error(`openid.${name} is "${asked(name)}"`);
  }

  #attributes(asked: (name: string) => string, email: string): Record<string, string> {
    const { knows = [] } = this.#options;
    const fields: Record<string, string> = {};
    if (knows.includes("sreg")) {
      const wanted = asked("sreg.optional").split(",");
      Object.assign(fields, { "ns.reg": "http://openid.net/extensions/sreg/1.1" });
      for (const [name, value] of Object.entries({ email, fullname: "Ann Lee" }))
        if (wanted.includes(name)) fields[`reg.${name}`] = value;
    }
    const namespace = knows.find((one) => one !== "sreg");
    if (namespace === undefined) return fields;
    const types = {
      [namespace === "http://axschema.org/" ? "contact/email" : "contact/internet/email"]: email,
      "namePerson/first": "Ann",
      "namePerson/last": "Lee",
    };
    Object.assign(fields, { "ns.ext1": "http://openid.net/srv/ax/1.0", "ext1.mode": "fetch_response" });
    for (const alias of asked("ax.required").split(",")) {
      const type = asked(`ax.type.${alias}`);
      const value = type.startsWith(namespace) ? types[type.slice(namespace.length)] : undefined;
      if (value === undefined) continue;
      Object.assign(fields, { [`ext1.type.my${alias}`]: type });
      // Lists are counted; one that is not is one.
      if (alias.includes("name"))
        Object.assign(fields, { [`ext1.count.my${alias}`]: "1", [`ext1.value.my${alias}.1`]: value });
      else fields[`ext1.value.my${alias}`] = value;
    }
    return fields;
  }

  #verify(form: URLSearchParams) {
    const field = (name: string) => form.get(`openid.${name}`) ?? "";
    const fields = Object.fromEntries(
      field("signed")
        .split(",")
        .map((name) => [name, field(name)]),
    );
    const isValid =
      field("mode") === "check_authentication" &&
      field("sig") === this.#signature({ ...fields, signed: field("signed") }) &&
      this.#open.delete(field("response_nonce"));
    return { text: `ns:${specification}\nis_valid:${isValid}\n` };
  }

  #signature(fields: Readonly<Record<string, string>>): string {
    const names = (fields["signed"] ?? "").split(",");
    const text = names.map((name) => `${name}:${fields[name] ?? ""}\n`).join("");
    return createHmac("sha256", this.#key).update(text).digest("base64");
  }

  #document(): string {
    const { endpoint, isIdentity = false, localId } = this.#options;
    const type = `${specification}/${isIdentity ? "signon" : "server"}`;
    const local = localId === undefined ? "" : `<LocalID>${localId}</LocalID>`;
    return `<?xml version="1.0" encoding="UTF-8"?>
<xrds:XRDS xmlns:xrds="xri://$xrds" xmlns="xri://$xrd*($v*2.0)"><XRD>
<Service priority="20"><Type>${type}</Type><URI>https://later.example.com/</URI></Service>
<Service priority="10"><Type>http://openid.net/srv/ax/1.0</Type><Type>${type}</Type>
<URI priority="7">https://later.example.com/</URI><URI priority="5">${endpoint.replaceAll("&", "&amp;")}</URI>${local}</Service>
<Service><Type>http://openid.net/signon/1.1</Type><URI>https://old.example.com/</URI></Service>
</XRD></xrds:XRDS>`;
  }
}

function addressOf(address: string): string {
  const url = new URL(address);
  return url.origin + url.pathname;
}

function without(fields: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
