import { isJsonObject } from "../../../../../vocabulary/json.ts";
import { type Document, member, scalar } from "../../outbound/index.ts";

/** What a document says of where to sign in. */
export interface OpenIdService {
  readonly endpoint: string;
  /** Whether it is the server, which asks people who they are; else it is about the one identity of the address. */
  readonly isServer: boolean;
  /** What the server calls that identity. */
  readonly localId: string | null;
}

const serverType = "http://specs.openid.net/auth/2.0/server";
const identityType = "http://specs.openid.net/auth/2.0/signon";

/** The service of an XRDS document: the server before an identity, among these by their priority (OpenID 2.0, 7.3.2). */
export function serviceOf(document: Document): OpenIdService | null {
  const last = listOf(member(member(document, "XRDS"), "XRD")).at(-1);
  const services = byPriority(listOf(member(last, "Service")));
  for (const type of [serverType, identityType]) {
    const service = services.find((one) => listOf(member(one, "Type")).map(textOf).includes(type));
    const endpoint = textOf(byPriority(listOf(member(service, "URI")))[0]);
    const localId = textOf(listOf(member(service, "LocalID"))[0]);
    if (endpoint !== null) return { endpoint, isServer: type === serverType, localId };
  }
  return null;
}

function listOf(value: Document): readonly Document[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function textOf(value: Document): string | null {
  return scalar(isJsonObject(value) ? member(value, "#text") : value);
}

/** The lowest number first, what has none last. */
function byPriority(list: readonly Document[]): readonly Document[] {
  const priority = (one: Document) => Number(scalar(member(one, "priority")) ?? Number.POSITIVE_INFINITY);
  return list.toSorted((one, other) =>
    priority(one) < priority(other) ? -1 : Number(priority(one) > priority(other)),
  );
}
