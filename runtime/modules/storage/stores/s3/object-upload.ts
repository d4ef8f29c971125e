import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type * as Sdk from "@aws-sdk/client-s3";
import { servedHeaders } from "../../content/served-headers.ts";
import type { StoredKey } from "../../keys/file-key.ts";
import { KeyConflict, type StagedFile } from "../file-store.ts";
import { requireValue, S3Failure, S3Session, withIdleTimeout } from "./s3-session.ts";

export interface UploadOptions {
  readonly key: StoredKey;
  readonly file: StagedFile;
  readonly overwrite: boolean;
  /** In bytes, at least 5 MiB. Larger files are sent in parts. */
  readonly partSize: number;
}

const mostParts = 10_000;
const mostAttempts = 3;
/** Timeout of the abort of a multipart upload. */
const abortMs = 5_000;
/** Bytes per write to the socket. */
const sliceBytes = 65_536;

/** Metadata key with the id of the upload. */
export const uploadIdField = "kirak-upload";

/** Metadata of an object. Null if it does not exist. */
export async function headObject(
  session: S3Session,
  name: string,
): Promise<Sdk.HeadObjectCommandOutput | null> {
  const { client, sdk } = session.connection;
  try {
    return await session.request("HeadObject", (options) =>
      client.send(new sdk.HeadObjectCommand(session.objectInput(name)), options),
    );
  } catch (error) {
    if (error instanceof S3Failure && error.absent) return null;
    throw error;
  }
}

/** Version of an object: its upload id, or the ETag if another program stored it. */
export function versionOf({ ETag, Metadata }: Sdk.HeadObjectCommandOutput): string {
  return Metadata?.[uploadIdField] ?? requireValue("HeadObject", "ETag", ETag);
}

/** Media type of an object, without parameters. */
export function objectTypeOf({ ContentType }: Sdk.HeadObjectCommandOutput): string {
  return ContentType?.split(";", 1)[0]?.trim() || "application/octet-stream";
}

/** Id of an upload: the name of its staged file. */
export function uploadIdOf({ path }: StagedFile): string {
  return basename(path);
}

/** Uploads a file. Uses up to two parts of memory. Rejects with `KeyConflict` if the key is taken. */
export async function uploadObject(session: S3Session, upload: UploadOptions): Promise<void> {
  const { key, file, overwrite, partSize } = upload;
  // S3 would reject the upload only after its last part.
  if (!overwrite && file.size > partSize && (await headObject(session, key)) !== null)
    throw new KeyConflict(`${key} is taken`);
  for (let attempt = 1; ; attempt++)
    try {
      return await uploadOnce(session, upload);
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error;
      // A retry after a lost response: this upload has already stored the object.
      if ((error.taken || error.absent) && (await storedUploadId(session, key)) === uploadIdOf(file)) return;
      if (error.contested && attempt < mostAttempts) continue;
      if (!error.taken && !error.contested) throw error;
      throw new KeyConflict(`${key} is taken`, { cause: error });
    }
}

async function uploadOnce(
  session: S3Session,
  { key, file, overwrite, partSize }: UploadOptions,
): Promise<void> {
  const { contentType, disposition } = servedHeaders({ key, mediaType: file.mediaType });
  const upload = new session.connection.Upload({
    client: clientOf(session),
    params: {
      ...session.objectInput(key),
      Body: Readable.from(contentOf(file), { objectMode: false }),
      ContentType: contentType,
      ContentDisposition: disposition,
      Metadata: { [uploadIdField]: uploadIdOf(file) },
      ...(!overwrite && { IfNoneMatch: "*" }),
    },
    queueSize: 1,
    partSize: Math.max(partSize, Math.ceil(file.size / mostParts)),
  });
  const { ETag } = await upload.done();
  requireValue("PutObject", "ETag", ETag);
}

async function* contentOf({ path, size }: StagedFile): AsyncGenerator<Buffer> {
  let left = size;
  for await (const chunk of createReadStream(path, { highWaterMark: 262_144 })) {
    left -= chunk.length;
    yield chunk;
  }
  if (left !== 0) throw new Error(`${path} has changed since it was staged`);
}

/** Upload id of an object. Null if it does not exist or has none. */
export async function storedUploadId(session: S3Session, key: StoredKey): Promise<string | null> {
  return (await headObject(session, key))?.Metadata?.[uploadIdField] ?? null;
}

type Command = Parameters<Sdk.S3Client["send"]>[0];

/** A client bound to a session, because `lib-storage` itself has no idle timeout. */
function clientOf(session: S3Session): Sdk.S3Client {
  const { connection } = session;
  const { client, sdk } = connection;
  const send = (command: Command): Promise<unknown> => {
    // The session's deadline can be over, so the abort has its own. The purge removes leftovers.
    if (command instanceof sdk.AbortMultipartUploadCommand)
      return withIdleTimeout(abortMs, (deadline) =>
        sendCommand(new S3Session(connection, deadline), command),
      ).catch(() => {});
    return sendCommand(session, command);
  };
  return new Proxy(client, {
    get: (target, name) => (name === "send" ? send : Reflect.get(target, name)),
  });
}

/** Sends a command; each slice of its body extends the deadline. */
function sendCommand(session: S3Session, command: Command): Promise<unknown> {
  command.middlewareStack.add(
    (next) => (args) => next({ ...args, request: withCountedBody(session, args.request) }),
    // After the signature, and again in each retry.
    { step: "finalizeRequest", priority: "low" },
  );
  return session.request(command.constructor.name.replace("Command", ""), (options) =>
    session.connection.client.send(command, options),
  );
}

function withCountedBody(session: S3Session, request: unknown): unknown {
  if (typeof request !== "object" || request === null || !("body" in request)) return request;
  const { body } = request;
  if (!(body instanceof Uint8Array) || body.length === 0) return request;
  return { ...request, body: Readable.from(slicesOf(session, body), { objectMode: false }) };
}

function* slicesOf(session: S3Session, body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += sliceBytes) {
    session.progressed();
    yield body.subarray(at, at + sliceBytes);
  }
}
