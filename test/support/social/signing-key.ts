import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

/** A key that id_tokens are signed with. */
export interface SigningKey {
  /** As the provider publishes it. */
  readonly published: JWK;
  /** The public half as PEM. */
  readonly pem: string;
  sign(claims: JWTPayload, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** A new key. */
export async function signingKey(alg = "RS256", kid = "key-1"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    published: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" },
    pem: await exportSPKI(publicKey),
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  };
}
