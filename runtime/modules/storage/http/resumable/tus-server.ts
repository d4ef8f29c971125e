import { PassThrough, Readable } from "node:stream";
import type { Upload } from "@tus/server";
import type { Request as HttpRequest } from "express";
import { ServiceError } from "../../../../core/errors/index.ts";
import { keyTakenError } from "../../files/store-file.ts";
import { storeUpload } from "../../files/store-upload.ts";
import { discard, receiveFile, tooLarge } from "../../incoming/receive-file.ts";
import { encodeKey } from "../../keys/file-key.ts";
import { storageError } from "../../storage-error.ts";
import { makeFolder } from "../../stores/disk.ts";
import { pipeBody, requestAborted } from "../pipe-body.ts";
import type { StorageCall } from "../storage-route.ts";
import { FormFields } from "../upload-form.ts";
import { createUpload, lifetimeMs, removeUpload, reopenUpload } from "./unfinished-uploads.ts";

type Tus = Awaited<ReturnType<typeof loadTus>>;

export const extensions = ["creation", "creation-with-upload", "termination", "expiration"];

/** Loads the optional packages. `path`: public URL path of all resumable uploads. */
export async function loadTus(folder: string, path: string) {
  const [{ Server }, { FileStore }] = await Promise.all([import("@tus/server"), import("@tus/file-store")]);
  // The package creates it, too, but a failure there would end the process.
  await makeFolder(folder);
  const files = new FileStore({ directory: folder, expirationPeriodInMilliseconds: lifetimeMs });
  files.extensions = extensions;
  return { Server, files, path };
}

/** Handles a request by the package, with the checks of other uploads. Removes an upload that is over. */
export async function answerByTus(
  { Server, files, path }: Tus,
  id: string,
  { request, allowedPrefix, services }: Pick<StorageCall, "request" | "allowedPrefix" | "services">,
): Promise<Response> {
  const { locks, settings, store } = services;
  const isNew = request.method === "POST";
  if (!isNew) await reopenUpload(files, id, ({ metadata }) => readTarget(metadata, allowedPrefix));
  const limit = settings.maxFileSizeBytes;
  const body = isNew || request.method === "PATCH" ? new RequestBody(request, limit) : null;
  let isComplete = false;
  const server = new Server({
    datastore: files,
    path,
    relativeLocation: true,
    allowedOrigins: [],
    exposedHeaders: ["Upload-Expires", "X-File-Path", "X-File-Url"],
    maxSize: limit,
    namingFunction: () => id,
    getFileIdFromRequest: () => id,
    async onUploadCreate(_, { metadata }) {
      const { key, overwrite } = readTarget(metadata, allowedPrefix);
      if (!overwrite && (await store.head(key)) !== null) throw keyTakenError(overwrite, undefined);
      await createUpload(files, id, locks);
      return {};
    },
    async onUploadFinish(_, { metadata, size }) {
      isComplete = true;
      const target = readTarget(metadata, allowedPrefix);
      // A copy, which no late write of another process can change.
      const file = await receiveFile(files.read(id), { folder: store.stagingFolder, limit });
      try {
        if (file.size !== size) throw new Error("an upload changed while it was stored");
        const { url } = await storeUpload(services, { ...target, file });
        return { headers: { "X-File-Path": encodeKey(target.key), "X-File-Url": url } };
      } finally {
        await discard(file.path);
      }
    },
    onResponseError(_, error) {
      throw "status_code" in error ? protocolError(error.status_code, error.body) : error;
    },
  });
  try {
    const answer = await server.handleWeb(webRequest(request, body));
    if (!isComplete && body?.failure) throw body.failure;
    if (answer.status >= 400) throw protocolError(answer.status, await answer.text());
    if (isComplete) await removeUpload(files, id);
    return answer;
  } catch (error) {
    // The client has no address of a new upload. It can repeat the end of another one after a failure.
    if (isNew || (isComplete && storageError(error).status < 500)) await removeUpload(files, id);
    throw error;
  } finally {
    body?.destroy();
  }
}

/** The key in the metadata of an upload. Errors: 400, `PERMISSION_DENIED`. */
function readTarget(metadata: Upload["metadata"], allowedPrefix: string | null) {
  const { filename, ...sent } = metadata ?? {};
  const fields = new FormFields(allowedPrefix, {});
  for (const [field, value] of Object.entries(sent)) fields.take(field, value ?? "");
  return { key: fields.keyFor(filename ?? ""), overwrite: fields.overwrite };
}

/** The body of a request. If the client is gone or too slow, it ends, so that the bytes so far are kept. */
class RequestBody extends PassThrough {
  failure: Error | null = null;

  constructor(request: HttpRequest, limit: number) {
    super();
    if (request.destroyed) throw requestAborted();
    const fail = (error: Error) => {
      this.failure = error;
      this.end();
    };
    pipeBody(request, this, { limit, isAtWork: () => true, fail, tooLarge: () => tooLarge(limit) });
  }
}

/** A request with only the headers of the protocol: others, such as those of proxies, have no effect. */
function webRequest({ method, headers }: HttpRequest, body: Readable | null): Request {
  const sent = Object.entries(headers).filter(([name]) => /^(?:content|tus|upload)-/.test(name));
  // Node.js and the DOM library declare the type of a web stream differently.
  const stream: unknown = body && Readable.toWeb(body);
  return new Request("http://localhost/", {
    method,
    headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
    ...(stream instanceof ReadableStream && { body: stream, duplex: "half" }),
  });
}

/** An error of the package as an error of the service. Only the log gets the reason of a failure. */
function protocolError(status: number, text: string): ServiceError {
  const message = text.trim();
  if (status === 400) return new ServiceError("VALIDATION_ERROR", message);
  if (status === 500) return storageError(new Error(message));
  return new ServiceError("HTTP_ERROR", message, undefined, { status });
}
