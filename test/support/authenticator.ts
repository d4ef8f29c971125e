import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { Json } from "#vocabulary/json";

/** Flags of authenticator data. */
export const flags = { up: 1, uv: 4, be: 8, bs: 16, at: 64 } as const;

/** What a hostile or broken authenticator or browser says instead. */
export interface Forgery {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  readonly rpId?: string;
  /** All flags, without `at`. */
  readonly flags?: number;
  readonly counter?: number;
  /** COSE. */
  readonly alg?: number;
  readonly credentialId?: Buffer;
  readonly credProps?: Json;
  readonly transports?: Json;
  readonly attestation?: readonly [fmt: string, statement: readonly (readonly [string, Cbor])[]];
  /** Null leaves it out. */
  readonly userHandle?: string | null;
  readonly signature?: Buffer | null;
  /** Another authenticator's key. */
  readonly signedBy?: KeyObject;
}

type Cbor = number | string | Buffer | readonly Buffer[] | ReadonlyMap<number | string, Cbor>;

/** The subset of CBOR that authenticators send. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((each) => cbor(each))]);
  const items = [...value.values()];
  return Buffer.concat([head(4, items.length), ...items.map((each) => cbor(each))]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  return size < 256
    ? Buffer.from([(major << 5) | 24, size])
    : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString("base64url");

/** The parts of options that an authenticator reads. */
interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

const usual = flags.up | flags.uv;

/** One passkey, with its browser at `origin`. It signs with ES256. */
export class Authenticator {
  readonly credentialId = randomBytes(16);
  readonly #origin: string;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #userHandle = "";
  /** Of the next use. */
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get privateKey(): KeyObject {
    return this.#keys.privateKey;
  }

  /** A `RegistrationResponseJSON`. */
  create(options: Json, forged: Forgery = {}): { readonly [key: string]: Json } {
    const { rp, user, ...asked } = optionsOf(options);
    this.#userHandle = user?.id ?? "";
    const id = forged.credentialId ?? this.credentialId;
    const size = Buffer.alloc(2);
    size.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), size, id, this.#coseKey(forged.alg ?? -7)]);
    const data = this.#data(rp?.id ?? "", flags.at, forged);
    const [fmt, statement] = forged.attestation ?? ["none", []];
    const object = new Map<string, Cbor>([
      ["fmt", fmt],
      ["attStmt", new Map(statement)],
      ["authData", Buffer.concat([data, attested])],
    ]);
    const response = {
      clientDataJSON: base64url(this.#clientData("webauthn.create", asked, forged)),
      attestationObject: base64url(cbor(object)),
      transports: forged.transports ?? ["internal"],
    };
    const clientExtensionResults = { credProps: forged.credProps ?? { rk: true } };
    return { id: base64url(id), rawId: base64url(id), type: "public-key", response, clientExtensionResults };
  }

  /** An `AuthenticationResponseJSON`. */
  get(options: Json, forged: Forgery = {}): { readonly [key: string]: Json } {
    const { rpId = "", ...asked } = optionsOf(options);
    const clientData = this.#clientData("webauthn.get", asked, forged);
    const data = this.#data(rpId, 0, forged);
    const signed = Buffer.concat([data, sha256(clientData)]);
    const signature = forged.signature ?? sign("sha256", signed, forged.signedBy ?? this.privateKey);
    const id = base64url(forged.credentialId ?? this.credentialId);
    const { userHandle = this.#userHandle } = forged;
    const response = {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      ...(forged.signature !== null && { signature: base64url(signature) }),
      ...(userHandle !== null && { userHandle }),
    };
    return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  }

  #clientData(type: string, { challenge }: Options, forged: Forgery): string {
    const { crossOrigin = false, topOrigin } = forged;
    return JSON.stringify({
      type: forged.type ?? type,
      challenge: forged.challenge ?? challenge,
      origin: forged.origin ?? this.#origin,
      crossOrigin,
      ...(topOrigin !== undefined && { topOrigin }),
    });
  }

  #data(rpId: string, more: number, forged: Forgery): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forged.counter ?? this.counter);
    return Buffer.concat([
      sha256(forged.rpId ?? rpId),
      Buffer.from([(forged.flags ?? usual) | more]),
      counter,
    ]);
  }

  #coseKey(alg: number): Buffer {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    return cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, alg],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
  }
}

function optionsOf(options: Json): Options {
  return Object(options);
}
