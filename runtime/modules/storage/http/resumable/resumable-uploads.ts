import { PassThrough, Readable } from "node:stream";
import type { Request as HttpRequest } from "express";
import type { Upload } from "@tus/server";
import { type Lazy, lazy } from "../../../../core/concurrency/index.ts";
import { type ErrorCode, ServiceError } from "../../../../core/errors/index.ts";
import { linkTo, type StorageServices } from "../../files/storage-services.ts";
import { keyTakenError } from "../../files/store-file.ts";
import { storeUpload } from "../../files/store-upload.ts";
import { pipeBody, requestAborted } from "../pipe-body.ts";
import type { StorageCall } from "../storage-route.ts";
import { FormFields } from "../upload-form.ts";
import { discard, receiveFile, tooLarge } from "../../incoming/receive-file.ts";
import { encodeKey, type FileKey } from "../../keys/file-key.ts";
import { storageError, withStorageErrors } from "../../storage-error.ts";
import { makeFolder, purgeStagingFolder } from "../../stores/disk.ts";
import { UnfinishedUploads } from "./unfinished-uploads.ts";

/** An authorised request for an upload of the caller. */
export interface ResumableCall extends Pick<StorageCall, "services" | "user" | "allowedPrefix" | "request"> {
  readonly id: string;
  /** URL path of all resumable uploads. */
  readonly path: string;
}

export interface TusAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** Extensions of the protocol that the service supports. */
export const tusExtensions = "creation,creation-with-upload,termination,expiration";

const hourMs = 3_600_000;
const lifetimeMs = 24 * hourMs;

/** Handles requests of the tus protocol, one at a time for each upload (docs/storage.md#resumable-uploads). */
export class ResumableUploads {
  readonly #tus: Lazy<Tus>;
  /** Ends the body of the running request of an upload. */
  readonly #endings = new Map<string, (error: Error) => void>();

  constructor({ store, log }: StorageServices) {
    this.#tus = lazy(() => withStorageErrors(loadTus(store.stagingFolder)));
    const expire = () => {
      purgeStagingFolder(store.stagingFolder, new Date(Date.now() - lifetimeMs)).catch((err) =>
        log.error({ err }, "cannot remove expired uploads"),
      );
    };
    expire();
    setInterval(expire, hourMs).unref();
  }

  async answer(call: ResumableCall): Promise<TusAnswer> {
    const tus = await this.#tus();
    // The client has lost its connection, which can stay open for a while.
    this.#endings.get(call.id)?.(replaced());
    return call.services.locks.run(`.${call.id}`, () => this.#answer(tus, call));
  }

  async #answer({ Server, files }: Tus, call: ResumableCall): Promise<TusAnswer> {
    const { services, allowedPrefix, request, id, path } = call;
    const { settings, store } = services;
    const { method } = request;
    const unfinished = new UnfinishedUploads(files);
    const stored = method === "HEAD" ? await unfinished.findStored(id) : null;
    if (stored !== null) return answerStored(services, stored);
    if (method !== "POST") await withStorageErrors(unfinished.reopen(id));
    let failure: unknown = null;
    let isComplete = false;
    const server = new Server({
      datastore: files,
      path,
      relativeLocation: true,
      allowedOrigins: [],
      maxSize: settings.maxFileSizeBytes,
      namingFunction: () => id,
      getFileIdFromRequest: () => id,
      async onUploadCreate(_, { metadata }) {
        const { key, overwrite } = readTarget(metadata, allowedPrefix);
        if (!overwrite && (await withStorageErrors(store.head(key))) !== null)
          throw keyTakenError(overwrite, undefined);
        await withStorageErrors(unfinished.create(id));
        return {};
      },
      async onUploadFinish(_, upload) {
        isComplete = true;
        const target = readTarget(upload.metadata, allowedPrefix);
        // A copy, which no late write of another process can change.
        const file = await receiveFile(files.read(id), {
          folder: store.stagingFolder,
          limit: settings.maxFileSizeBytes,
        });
        try {
          if (file.size !== upload.size)
            throw storageError(new Error("an upload changed while it was stored"));
          const { url } = await storeUpload(services, { ...target, file });
          await unfinished.markStored(upload, target.key);
          return { headers: fileHeaders(target.key, url) };
        } finally {
          await discard(file.path);
        }
      },
      onResponseError(_, error) {
        failure ??= error;
        return undefined;
      },
    });
    const body = new PassThrough();
    let stop = () => {};
    const end = (error: Error) => {
      if (isComplete) return;
      failure ??= error;
      stop();
      // What has arrived is kept.
      body.end();
    };
    try {
      if (request.destroyed) throw requestAborted();
      const hasBody = method === "POST" || method === "PATCH";
      const limit = settings.maxFileSizeBytes;
      if (hasBody)
        stop = pipeBody(request, body, {
          limit,
          isAtWork: () => true,
          fail: end,
          tooLarge: () => tooLarge(limit),
        });
      this.#endings.set(id, end);
      const answer = await server.handleWeb(webRequest(request, hasBody ? body : null));
      if (failure instanceof ServiceError) throw failure;
      if (answer.status >= 400) throw tusError(answer.status, await answer.text(), failure);
      if (isComplete) await discard(unfinished.pathOf(id));
      return { status: answer.status, headers: new Map(answer.headers) };
    } catch (error) {
      // The client has no address of the upload, or its file is refused.
      if (method === "POST" || (isComplete && storageError(error).status < 500)) await unfinished.remove(id);
      throw error;
    } finally {
      this.#endings.delete(id);
      stop();
      body.destroy();
    }
  }
}

type Tus = Awaited<ReturnType<typeof loadTus>>;

async function loadTus(folder: string) {
  const [{ Server }, { FileStore }] = await Promise.all([import("@tus/server"), import("@tus/file-store")]);
  // The package creates it, too, but a failure there would end the process.
  await makeFolder(folder);
  const files = new FileStore({ directory: folder, expirationPeriodInMilliseconds: lifetimeMs });
  files.extensions = tusExtensions.split(",");
  return { Server, files };
}

/** Only headers of the protocol: others, such as those of proxies, have no effect. */
const sentHeaders = [
  "content-length",
  "content-type",
  "tus-resumable",
  "upload-concat",
  "upload-defer-length",
  "upload-length",
  "upload-metadata",
  "upload-offset",
];

function webRequest({ method, headers }: HttpRequest, body: Readable | null): Request {
  const sent = sentHeaders.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  // Node.js and the DOM library declare the type of a web stream differently.
  const stream: unknown = body === null ? null : Readable.toWeb(body);
  return new Request("http://localhost/", {
    method,
    headers: sent,
    ...(stream instanceof ReadableStream && { body: stream, duplex: "half" }),
  });
}

/** The key in the metadata of an upload. Errors: 400, `PERMISSION_DENIED`. */
function readTarget(metadata: Upload["metadata"], allowedPrefix: string | null) {
  let name = "";
  const fields = new FormFields(allowedPrefix, {
    filename: (value) => {
      name = value;
    },
  });
  for (const [field, value] of Object.entries(metadata ?? {})) fields.take(field, value ?? "");
  return { key: fields.keyFor(name), overwrite: fields.overwrite };
}

async function answerStored(
  services: StorageServices,
  { key, size }: { readonly key: FileKey; readonly size: number },
): Promise<TusAnswer> {
  const length = { "Upload-Length": `${size}`, "Upload-Offset": `${size}` };
  const headers = { ...length, ...fileHeaders(key, await linkTo(services, key)) };
  return { status: 200, headers: new Map(Object.entries(headers)) };
}

function fileHeaders(key: FileKey, url: string): Record<string, string> {
  return { "X-File-Path": encodeKey(key), "X-File-Url": url };
}

const codes: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "VALIDATION_ERROR"],
  [403, "VALIDATION_ERROR"],
  [404, "NOT_FOUND"],
  [500, "STORAGE_ERROR"],
] as const);

/** An error of the package as one of the service. Only the log gets the text of a failure. */
function tusError(status: number, text: string, cause: unknown): ServiceError {
  const code = codes.get(status);
  if (code === undefined)
    return new ServiceError("HTTP_ERROR", text.trim(), undefined, {
      status,
      headers: { "Tus-Version": "1.0.0" },
    });
  return new ServiceError(code, code === "STORAGE_ERROR" ? undefined : text.trim(), undefined, { cause });
}

function replaced(): ServiceError {
  return new ServiceError("HTTP_ERROR", "Another request goes on with this upload.", undefined, {
    status: 409,
  });
}
