import { createHash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../../errors/index.ts";

/** Refuses a request whose headers do not hold the ingestion key. Errors: `MISSING_TOKEN`, 503 `HTTP_ERROR`, `INVALID_TOKEN`. */
export type RequireKey = (headers: IncomingHttpHeaders) => void;

/** Who may read what monitoring has recorded (contract: "Monitoring authentication"). Without a key nobody may. */
export function requireIngestionKey(key: KeyObject | null): RequireKey {
  const expected = key === null ? null : digest(key.export());
  return ({ authorization = "" }) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined)
      throw new ServiceError("MISSING_TOKEN", "This route needs the ingestion key as a Bearer token.");
    if (expected === null)
      throw new ServiceError("HTTP_ERROR", "No ingestion key is configured.", undefined, { status: 503 });
    if (!timingSafeEqual(expected, digest(Buffer.from(token, "latin1"))))
      throw new ServiceError("INVALID_TOKEN", "This is not the ingestion key.");
  };
}

/** Of one length whatever was sent, so that not even the length of the key can be measured. */
function digest(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
