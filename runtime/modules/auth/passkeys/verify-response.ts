import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import type { PasskeySite } from "../../../../vocabulary/passkeys.ts";
import { PasskeyRefusal } from "./passkey-refusal.ts";
import type { DeviceType, NewPasskey, StoredPasskey } from "./passkey-rows.ts";

/** The algorithms that new passkeys can have: EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257] as const;

interface Expected {
  readonly site: PasskeySite;
  /** Whether this is the expected challenge. */
  readonly isChallenge: (text: string) => boolean;
}

/** What a signed response says of its passkey. */
interface SignedUse {
  readonly counter: number;
  readonly backedUp: boolean;
  readonly deviceType: DeviceType;
  /** In base64url; null if the response has none. */
  readonly userHandle: string | null;
}

/** A passkey of a response, without what only the service knows. */
type Registered = Omit<NewPasskey, "userId" | "userHandle" | "name"> & {
  /** Whether the browser says that the device did not store it. */
  readonly isNotStored: boolean;
};

// A response names its credential, and the service its longest key: RSA with 8,192 bits.
const longestId = 1364;
const longestKey = 2048;

function text(part: unknown, name: string): string {
  const value = isJsonObject(part) ? part[name] : undefined;
  if (typeof value !== "string") throw new PasskeyRefusal(`the response has no ${name}`);
  return value;
}

/** The credential id that a response names. */
export function credentialIdOf(sent: object): string {
  const id = text(sent, "id");
  if (id.length > longestId) throw new PasskeyRefusal("the credential id is too long");
  return id;
}

function envelope(sent: object) {
  if (text(sent, "type") !== "public-key") throw new PasskeyRefusal("it is not a public key");
  const response: unknown = Reflect.get(sent, "response");
  const clientDataJSON = text(response, "clientDataJSON");
  return {
    response,
    clientDataJSON,
    credential: {
      id: credentialIdOf(sent),
      rawId: text(sent, "rawId"),
      type: "public-key",
      clientExtensionResults: {},
    } as const,
  };
}

/** The library checks `crossOrigin` only with `topOrigin`, which not all browsers send. */
function requireSameOrigin(clientDataJSON: string): void {
  const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
  if (!isJsonObject(data) || (data["crossOrigin"] ?? false) !== false)
    throw new PasskeyRefusal("the page is in a frame of another origin");
}

/** Turns what the library refuses into a refusal. Its messages quote the response, and no secret. */
async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PasskeyRefusal || !(error instanceof Error)) throw error;
    throw new PasskeyRefusal(error.message);
  }
}

/** Checks the response of a browser that registers a passkey. Throws a `PasskeyRefusal`. */
export async function verifyRegistration(sent: object, expected: Expected): Promise<Registered> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return checked(async () => {
    const { response, clientDataJSON, credential } = envelope(sent);
    requireSameOrigin(clientDataJSON);
    const attestationObject = text(response, "attestationObject");
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const isSelfAttested =
      attestation.get("fmt") === "packed" && attestation.get("attStmt").get("x5c") === undefined;
    // To check a certificate, the library would send requests to addresses that the certificate names.
    if (attestation.get("fmt") !== "none" && !isSelfAttested)
      throw new PasskeyRefusal("it has an attestation with a certificate, which was not requested");
    const json: RegistrationResponseJSON = { ...credential, response: { clientDataJSON, attestationObject } };
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: json,
      expectedChallenge: expected.isChallenge,
      expectedOrigin: [...expected.site.origins],
      expectedRPID: expected.site.rpId,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified) throw new PasskeyRefusal("the attestation is not valid");
    const { id, publicKey, counter } = registrationInfo.credential;
    if (id !== credential.id) throw new PasskeyRefusal("the device made another credential");
    if (publicKey.length > longestKey) throw new PasskeyRefusal("the public key is too long");
    return {
      credentialId: id,
      publicKey: isoBase64URL.fromBuffer(publicKey),
      counter,
      transports: transportsOf(response),
      deviceType: registrationInfo.credentialDeviceType,
      backedUp: registrationInfo.credentialBackedUp,
      aaguid: registrationInfo.aaguid,
      isNotStored: isNotStored(sent),
    };
  });
}

/** How a browser can reach the device again. It is only a hint, so strange values are dropped. */
function transportsOf(response: unknown): readonly string[] {
  const sent = isJsonObject(response) ? response["transports"] : [];
  const names: readonly unknown[] = Array.isArray(sent) ? sent : [];
  const known = names.filter((name) => typeof name === "string" && /^[a-z-]{1,32}$/.test(name));
  return [...new Set(known.map(String))].slice(0, 10);
}

function isNotStored(sent: object): boolean {
  const results: unknown = Reflect.get(sent, "clientExtensionResults");
  const properties = isJsonObject(results) ? results["credProps"] : null;
  return isJsonObject(properties) && properties["rk"] === false;
}

/** The public key of a passkey that does not exist: a known point of the curve P-256. */
const decoyKey =
  "pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU";

/**
 * Checks a signed response of a passkey. Throws a `PasskeyRefusal`. For an unknown passkey it does the same
 * work. It does not compare the counter: the library would do so before it checks the signature.
 */
export async function verifyUse(
  sent: object,
  passkey: StoredPasskey | null,
  expected: Expected,
): Promise<SignedUse> {
  const [{ verifyAuthenticationResponse }, { isoBase64URL }] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return checked(async () => {
    const { response, clientDataJSON, credential } = envelope(sent);
    requireSameOrigin(clientDataJSON);
    const authenticatorData = text(response, "authenticatorData");
    const signature = text(response, "signature");
    const json: AuthenticationResponseJSON = {
      ...credential,
      response: { clientDataJSON, authenticatorData, signature },
    };
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: json,
      expectedChallenge: expected.isChallenge,
      expectedOrigin: [...expected.site.origins],
      expectedRPID: expected.site.rpId,
      credential: {
        id: credential.id,
        publicKey: isoBase64URL.toBuffer(passkey?.publicKey ?? decoyKey),
        counter: 0,
      },
    });
    if (passkey === null) throw new PasskeyRefusal("the passkey is unknown");
    if (!verified) throw new PasskeyRefusal("the signature is wrong");
    const userHandle = isJsonObject(response) ? response["userHandle"] : null;
    return {
      counter: authenticationInfo.newCounter,
      backedUp: authenticationInfo.credentialBackedUp,
      deviceType: authenticationInfo.credentialDeviceType,
      userHandle: typeof userHandle === "string" ? userHandle : null,
    };
  });
}
