import { isAddressOrRange } from "./addresses.ts";

/** `auth.passkeys` of the manifest, where it is an object. */
export interface PasskeySection {
  readonly rp_id?: string;
  readonly rp_name?: string;
  readonly origins?: readonly string[];
}

/** The section of a manifest. Null: passkeys are off. */
export function passkeySectionOf(value: boolean | PasskeySection | undefined): PasskeySection | null {
  if (value === undefined || value === false) return null;
  return value === true ? {} : value;
}

/** The site that passkeys belong to. */
export interface PasskeySite {
  /** The domain of the site. Another one loses all passkeys. */
  readonly rpId: string;
  /** The name that browsers show. */
  readonly rpName: string;
  /** The pages and apps that can use passkeys. */
  readonly origins: readonly string[];
}

/** A setting that is not valid. `message` is a sentence without its subject. */
interface PasskeyProblem {
  readonly key: "rp_id" | "origins";
  readonly message: string;
}

/** The site of a service, with its defaults. */
export function passkeySite(
  { rp_id, rp_name, origins }: PasskeySection,
  { name, baseUrl }: { readonly name: string; readonly baseUrl: string },
): PasskeySite {
  const { hostname, origin } = new URL(baseUrl);
  return { rpId: rp_id ?? hostname, rpName: rp_name ?? name, origins: origins ?? [origin] };
}

interface PasskeyPlace {
  /** Null if it is not known yet: then its defaults are not checked. */
  readonly baseUrl: string | null;
  readonly production: boolean;
}

/** The problems of the settings. Browsers would refuse passkeys with them. */
export function passkeyProblems(
  { rp_id, origins }: PasskeySection,
  { baseUrl, production }: PasskeyPlace,
): readonly PasskeyProblem[] {
  const base = baseUrl === null || !URL.canParse(baseUrl) ? null : new URL(baseUrl);
  const rpId = rp_id ?? base?.hostname ?? null;
  const wrong = rpId === null ? null : domainProblem(rpId);
  if (wrong !== null) return [{ key: "rp_id", message: `is "${rpId}", ${wrong}` }];
  return (origins ?? (base === null ? [] : [base.origin])).flatMap((origin) => {
    const why = originProblem(origin, rpId, production);
    return why === null ? [] : [{ key: "origins" as const, message: `has "${origin}", ${why}` }];
  });
}

const domain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

function domainProblem(rpId: string): string | null {
  if (isAddressOrRange(rpId.replace(/^\[|\]$/g, ""))) return "an IP address: passkeys need a domain";
  if (!domain.test(rpId)) return "which is not a domain in lower case, such as example.com";
  return rpId === "localhost" || rpId.includes(".") ? null : "which has no dot: passkeys need a whole domain";
}

const androidApp = /^android:apk-key-hash:[\w-]{43}$/;

function originProblem(text: string, rpId: string | null, production: boolean): string | null {
  if (androidApp.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.origin !== text)
    return "which is not an origin, such as https://www.example.com or android:apk-key-hash:<hash>";
  const isLocal = url.protocol === "http:" && url.hostname === "localhost" && !production;
  if (url.protocol !== "https:" && !isLocal)
    return `which needs https${production ? "" : " (or http at localhost)"}`;
  const isOfSite = rpId === null || url.hostname === rpId || url.hostname.endsWith(`.${rpId}`);
  return isOfSite ? null : `whose host is not auth.passkeys.rp_id "${rpId}", and not a subdomain of it`;
}
