import { PassThrough, Readable } from "node:stream";
import type { Request as HttpRequest } from "express";
import { type Lazy, lazy } from "../../../../core/concurrency/index.ts";
import { tooLarge } from "../../incoming/receive-file.ts";
import { withStorageErrors } from "../../storage-error.ts";
import { pipeBody, requestAborted } from "../pipe-body.ts";
import {
  loadTus,
  type ResumableCall,
  readTarget,
  type Tus,
  type TusProgress,
  tusError,
  tusServer,
} from "./tus-server.ts";
import { UnfinishedUploads } from "./unfinished-uploads.ts";

export interface TusAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

const lifetimeMs = 24 * 3_600_000;

/** Handles requests of the tus protocol, one at a time for each upload (docs/storage.md#resumable-uploads). */
export class ResumableUploads {
  readonly #tus: Lazy<Tus>;

  constructor(stagingFolder: string) {
    this.#tus = lazy(() => withStorageErrors(loadTus(stagingFolder, lifetimeMs)));
  }

  answer(call: ResumableCall): Promise<TusAnswer> {
    return call.services.locks.run(`.${call.id}`, async () => answerByTus(await this.#tus(), call));
  }
}

async function answerByTus(tus: Tus, call: ResumableCall): Promise<TusAnswer> {
  const { request, id, allowedPrefix } = call;
  const { method } = request;
  const unfinished = new UnfinishedUploads(tus.files);
  const isNew = method === "POST";
  const progress: TusProgress = { failure: null, isOver: false };
  if (!isNew && method !== "OPTIONS")
    readTarget(await withStorageErrors(unfinished.reopen(id)), allowedPrefix);
  const { body, stop } = isNew || method === "PATCH" ? openBody(call, progress) : noBody;
  try {
    const server = tusServer(tus, unfinished, call, progress);
    const answer = await server.handleWeb(webRequest(request, body));
    const { failure } = progress;
    if (failure !== null || answer.status >= 400) throw tusError(answer.status, await answer.text(), failure);
    return { status: answer.status, headers: new Map(answer.headers) };
  } catch (error) {
    // The client has no address of the upload.
    progress.isOver ||= isNew;
    throw error;
  } finally {
    stop();
    if (progress.isOver) await unfinished.remove(id);
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
