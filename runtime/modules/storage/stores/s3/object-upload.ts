import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type * as Sdk from "@aws-sdk/client-s3";
import { servedHeaders } from "../../content/served-headers.ts";
import type { StoredKey } from "../../keys/file-key.ts";
import { KeyConflict, type StagedFile } from "../file-store.ts";
import { S3Failure, S3Session, saidIn, withinIdle } from "./s3-session.ts";

/** What is stored, and where. */
export interface Sending {
  readonly key: StoredKey;
  readonly file: StagedFile;
  readonly overwrite: boolean;
  /** In bytes, at least 5 MiB. A larger file is sent in parts of this size. */
  readonly partSize: number;
}

const mostParts = 10_000;
const mostAttempts = 3;
/** How long S3 can be silent while an upload in parts is aborted. */
const abortMs = 5_000;
/** Of a body, handed to the socket at once. */
const sliceBytes = 65_536;

/** In an object's metadata: by which upload it came. */
const markName = "kirak-upload";

/** What S3 says of an object. Null where there is none. */
export async function headOf(session: S3Session, name: string): Promise<Sdk.HeadObjectCommandOutput | null> {
  const { client, sdk } = session.connection;
  try {
    return await session.request("HeadObject", (options) =>
      client.send(new sdk.HeadObjectCommand(session.place(name)), options),
    );
  } catch (error) {
    if (error instanceof S3Failure && error.absent) return null;
    throw error;
  }
}

/** The version of an object: its upload, or the ETag of an object that came by another way. */
export function versionOf({ ETag, Metadata }: Sdk.HeadObjectCommandOutput): string {
  return Metadata?.[markName] ?? saidIn("HeadObject", "ETag", ETag);
}

/** Identifies the upload that an object comes from: the name of its staged file. */
export function markOf({ path }: StagedFile): string {
  return basename(path);
}

/**
 * Sends a staged file, part after part: `lib-storage` holds up to two parts in memory. Rejects with a `KeyConflict` if the key is taken
 * and may not be overwritten.
 */
export async function sendFile(session: S3Session, sending: Sending): Promise<void> {
  const { key, file, overwrite, partSize } = sending;
  // S3 would refuse the upload only after the last part.
  if (!overwrite && file.size > partSize && (await headOf(session, key)) !== null)
    throw new KeyConflict(`${key} is taken`);
  for (let attempt = 1; ; attempt++)
    try {
      return await sendOnce(session, sending);
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error;
      // The first attempt of a request succeeded and its answer was lost: the object is that of this upload.
      if ((error.taken || error.absent) && (await markAt(session, key)) === markOf(file)) return;
      if (error.contested && attempt < mostAttempts) continue;
      if (!error.taken && !error.contested) throw error;
      throw new KeyConflict(`${key} is taken`, { cause: error });
    }
}

async function sendOnce(session: S3Session, { key, file, overwrite, partSize }: Sending): Promise<void> {
  const { contentType, disposition } = servedHeaders({ key, mediaType: file.mediaType });
  const upload = new session.connection.Upload({
    client: clientOf(session),
    params: {
      ...session.place(key),
      Body: Readable.from(contentOf(file), { objectMode: false }),
      ContentType: contentType,
      ContentDisposition: disposition,
      Metadata: { [markName]: markOf(file) },
      ...(!overwrite && { IfNoneMatch: "*" }),
    },
    queueSize: 1,
    partSize: Math.max(partSize, Math.ceil(file.size / mostParts)),
  });
  const { ETag } = await upload.done();
  saidIn("PutObject", "ETag", ETag);
}

async function* contentOf({ path, size }: StagedFile): AsyncGenerator<Buffer> {
  let left = size;
  for await (const chunk of createReadStream(path, { highWaterMark: 262_144 })) {
    left -= chunk.length;
    yield chunk;
  }
  if (left !== 0) throw new Error(`${path} has changed since it was staged`);
}

/** The upload that the object at a key comes from. Null if there is none, or it came by another way. */
async function markAt(session: S3Session, key: StoredKey): Promise<string | null> {
  return (await headOf(session, key))?.Metadata?.[markName] ?? null;
}

type Command = Parameters<Sdk.S3Client["send"]>[0];

/** The client, whose requests belong to a session: `lib-storage` itself neither ends them nor notices that S3 is silent. */
function clientOf(session: S3Session): Sdk.S3Client {
  const { connection } = session;
  const { client, sdk } = connection;
  const send = (command: Command): Promise<unknown> => {
    // The session can be over by then, and the caller does not wait. What stays is for the purge.
    if (command instanceof sdk.AbortMultipartUploadCommand)
      return withinIdle(abortMs, (deadline) => sendIn(new S3Session(connection, deadline), command)).catch(
        () => {},
      );
    return sendIn(session, command);
  };
  return new Proxy(client, {
    get: (target, name) => (name === "send" ? send : Reflect.get(target, name)),
  });
}

/** Sends a command whose body puts off the deadline with each slice that S3 takes. */
function sendIn(session: S3Session, command: Command): Promise<unknown> {
  command.middlewareStack.add(
    (next) => (args) => next({ ...args, request: withCountedBody(session, args.request) }),
    // After the signature, and again for each attempt.
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
    session.moved();
    yield body.subarray(at, at + sliceBytes);
  }
}
