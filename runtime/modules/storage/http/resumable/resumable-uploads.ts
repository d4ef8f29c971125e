import { PassThrough, Readable } from "node:stream";
import type { Request as HttpRequest } from "express";
import { type Lazy, lazy } from "../../../../core/concurrency/index.ts";
import { linkTo, type StorageServices } from "../../files/storage-services.ts";
import { discard, tooLarge } from "../../incoming/receive-file.ts";
import { storageError, withStorageErrors } from "../../storage-error.ts";
import { purgeStagingFolder } from "../../stores/disk.ts";
import { pipeBody, requestAborted } from "../pipe-body.ts";
import {
  fileHeaders,
  loadTus,
  type ResumableCall,
  type Tus,
  type TusProgress,
  tusError,
  tusServer,
} from "./tus-server.ts";
import { UnfinishedUploads } from "./unfinished-uploads.ts";

interface TusAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

const hourMs = 3_600_000;
const lifetimeMs = 24 * hourMs;

/** Handles requests of the tus protocol, one at a time for each upload (docs/storage.md#resumable-uploads). */
export class ResumableUploads {
  readonly #tus: Lazy<Tus>;

  constructor({ store: { stagingFolder }, log }: StorageServices) {
    this.#tus = lazy(() => withStorageErrors(loadTus(stagingFolder, lifetimeMs)));
    const expire = () => {
      const removal = purgeStagingFolder(stagingFolder, new Date(Date.now() - lifetimeMs));
      removal.catch((err) => log.error({ err }, "cannot remove expired uploads"));
    };
    expire();
    setInterval(expire, hourMs).unref();
  }

  answer(call: ResumableCall): Promise<TusAnswer> {
    const { services, request, id } = call;
    return services.locks.run(`.${id}`, async () => {
      const tus = await this.#tus();
      const unfinished = new UnfinishedUploads(tus.files);
      const stored = request.method === "HEAD" ? await unfinished.findStored(id) : null;
      if (stored === null) return answerByTus(tus, unfinished, call);
      const { key, size } = stored;
      const length = { "Upload-Length": `${size}`, "Upload-Offset": `${size}` };
      const headers = { ...length, ...fileHeaders(key, await linkTo(services, key)) };
      return { status: 200, headers: new Map(Object.entries(headers)) };
    });
  }
}

async function answerByTus(tus: Tus, unfinished: UnfinishedUploads, call: ResumableCall): Promise<TusAnswer> {
  const { request, id } = call;
  const isNew = request.method === "POST";
  const progress: TusProgress = { failure: null, isComplete: false };
  if (!isNew) await withStorageErrors(unfinished.reopen(id));
  const { body, stop } = isNew || request.method === "PATCH" ? openBody(call, progress) : noBody;
  try {
    const server = tusServer(tus, unfinished, call, progress);
    const answer = await server.handleWeb(webRequest(request, body));
    const { failure, isComplete } = progress;
    if (failure !== null || answer.status >= 400) throw tusError(answer.status, await answer.text(), failure);
    if (isComplete) await discard(unfinished.pathOf(id));
    return { status: answer.status, headers: new Map(answer.headers) };
  } catch (error) {
    // The client has no address of the upload, or its file is refused.
    const isRefused = progress.isComplete && storageError(error).status < 500;
    if (isNew || isRefused) await unfinished.remove(id);
    throw error;
  } finally {
    stop();
  }
}

const noBody = { body: null, stop: () => {} };

/** The body of a request. If the client is gone or too slow, it ends, so that the bytes so far are kept. */
function openBody({ request, services: { settings } }: ResumableCall, progress: TusProgress) {
  if (request.destroyed) throw requestAborted();
  const limit = settings.maxFileSizeBytes;
  const body = new PassThrough();
  const fail = (error: Error) => {
    progress.failure ??= error;
    stopFeeding();
    body.end();
  };
  const options = { limit, isAtWork: () => true, fail, tooLarge: () => tooLarge(limit) };
  const stopFeeding = pipeBody(request, body, options);
  const stop = () => {
    stopFeeding();
    body.destroy();
  };
  return { body, stop };
}

/** Only headers of the protocol: others, such as those of proxies, have no effect. */
// biome-ignore format: many on a line
const sentHeaders = [
  "content-length", "content-type", "tus-resumable", "upload-concat", "upload-defer-length", "upload-length",
  "upload-metadata", "upload-offset",
];

function webRequest({ method, headers }: HttpRequest, body: Readable | null): Request {
  const sent = sentHeaders.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  // Node.js and the DOM library declare the type of a web stream differently.
  const stream: unknown = body === null ? null : Readable.toWeb(body);
  const content = stream instanceof ReadableStream && { body: stream, duplex: "half" as const };
  return new Request("http://localhost/", { method, headers: sent, ...content });
}
