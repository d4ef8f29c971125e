import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { Writable } from "node:stream";
import type { Request, Response } from "express";
import type multerOf from "multer";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import {
  discard,
  type IncomingFile,
  type ReceiveOptions,
  receiveFile,
  tooLarge,
} from "../incoming/receive-file.ts";
import { type PipeOptions, pipeBody, requestAborted } from "./pipe-body.ts";

/** Form part of the file. */
const filePart = "file";
/** Most bytes of a field's value. */
const longestField = 16_384;
/** Bytes for fields, part headers and boundaries, in addition to the file. */
const maxOverhead = 131_072;
/** Above the number of allowed parts, so that the error can name an extra part. */
const limits = { files: 2, fields: 8, parts: 12, fieldSize: longestField, fieldNestingDepth: 0 };

export interface MultipartOptions extends ReceiveOptions {
  /** Called with each field as it arrives. An error refuses the request. */
  readonly takeField: (name: string, value: string) => void;
}

export interface Upload {
  /** The client's file name, unchecked. */
  readonly name: string;
  readonly file: IncomingFile;
}

/** Receives a form's file (docs/storage.md#uploading). Errors: 400, 408, 413, 415 and `STORAGE_ERROR`. */
export async function readUpload(
  request: Request,
  response: Response,
  options: MultipartOptions,
): Promise<Upload> {
  requireForm(request, options.limit);
  if (request.destroyed) throw requestAborted();
  const reading = new FormReader(options);
  try {
    return await reading.read(request, response);
  } catch (error) {
    await reading.discard();
    throw error;
  }
}

function requireForm({ headers }: IncomingMessage, limit: number): void {
  const isForm = /^multipart\/form-data *(;|$)/i.test(headers["content-type"] ?? "");
  if (!isForm || (headers["content-encoding"] ?? "identity") !== "identity")
    throw new ServiceError("HTTP_ERROR", "The body must be multipart/form-data, not compressed.", undefined, {
      status: 415,
    });
  if (Number(headers["content-length"] ?? 0) > limit + maxOverhead) throw tooLarge(limit);
}

/** Reads one form with multer. */
class FormReader {
  readonly #options: MultipartOptions;
  readonly #fields = new Set<string>();
  #fail: (error: unknown) => void = () => {};
  #hasFailed = false;
  #name = "";
  #receiving: Promise<IncomingFile> | null = null;
  /** Whether the disk still has to write parts of the file. */
  #isWriting = () => false;

  constructor(options: MultipartOptions) {
    this.#options = options;
  }

  /** Listens to the parser directly, because multer reports failures only after the end of the body. */
  read(request: Request, response: Response): Promise<Upload> {
    return new Promise((resolve, reject) => {
      let stop = () => {};
      this.#fail = (error) => {
        this.#hasFailed = true;
        stop();
        reject(error instanceof ServiceError ? error : brokenForm(error));
      };
      const streamHandler = (_request: unknown, parser: Writable) => {
        this.#listen(parser);
        const stopFeeding = pipeBody(request, parser, this.#pipeOptions());
        stop = () => {
          stopFeeding();
          parser.destroy();
        };
      };
      const done = (error?: unknown) => {
        if (error === undefined) this.#result().then(resolve, this.#fail);
        else this.#fail(error);
      };
      this.#multer(streamHandler)(request, response, done);
    });
  }

  /** Removes the received file. */
  async discard(): Promise<void> {
    const file = await this.#receiving?.catch(() => null);
    if (file != null) await discard(file.path);
  }

  async #result(): Promise<Upload> {
    if (this.#receiving === null) throw problem(filePart, "is required: a form part with a file name");
    return { name: this.#name, file: await this.#receiving };
  }

  #pipeOptions(): PipeOptions {
    const { limit } = this.#options;
    return {
      limit: limit + maxOverhead,
      isAtWork: () => this.#isWriting(),
      fail: this.#fail,
      tooLarge: () => tooLarge(limit),
    };
  }

  #multer(streamHandler: (request: unknown, parser: Writable) => void) {
    const load = createRequire(import.meta.url);
    const multer: typeof multerOf = load("multer");
    const storage: multerOf.StorageEngine = {
      _handleFile: (_request, file, done) => this.#receive(file, done),
      // `discard` removes it.
      _removeFile: (_request, _file, done) => done(null),
    };
    const options = { storage, limits, defParamCharset: "utf8", streamHandler };
    return multer(options).single(filePart);
  }

  #receive({ originalname, stream }: Express.Multer.File, done: (error?: unknown) => void): void {
    // The parser continues with its buffered data after a failure.
    if (this.#hasFailed) {
      stream.destroy();
      done(new Error("the form was refused"));
      return;
    }
    this.#name = originalname;
    this.#receiving = receiveFile(stream, this.#options);
    // An empty stream that has not ended waits for the parser.
    this.#isWriting = () => stream.readableEnded || stream.readableLength > 0;
    this.#receiving.finally(() => (this.#isWriting = () => false)).then(() => done(), done);
    this.#receiving.catch(this.#fail);
  }

  #listen(parser: Writable): void {
    const check = (take: () => void) => {
      try {
        if (!this.#hasFailed) take();
      } catch (error) {
        this.#fail(error);
      }
    };
    parser.on("field", (name: unknown, value: unknown, { valueTruncated }: { valueTruncated: boolean }) =>
      check(() => this.#takeField(name, valueTruncated ? null : value)),
    );
    parser.on("file", (name: unknown) => check(() => void this.#takePart(name, name === filePart)));
    for (const tooMany of ["partsLimit", "fieldsLimit", "filesLimit"])
      parser.on(tooMany, () => this.#fail(new Error(tooMany)));
    parser.on("error", this.#fail);
  }

  #takeField(sent: unknown, value: unknown): void {
    const name = this.#takePart(sent, sent !== filePart);
    if (typeof value !== "string") throw problem(name, "is too long, or is not text");
    this.#options.takeField(name, value);
  }

  #takePart(name: unknown, isKnown: boolean): string {
    if (typeof name !== "string") throw brokenForm(new Error("a part has no name"));
    if (this.#fields.has(name)) throw problem(name, "is given more than once");
    this.#fields.add(name);
    if (!isKnown)
      throw problem(name, name === filePart ? "must be a file" : "is not a file field of this form");
    return name;
  }
}

function problem(field: string, message: string): ServiceError {
  return invalid([{ field, message }]);
}

function brokenForm(cause: unknown): ServiceError {
  return new ServiceError("VALIDATION_ERROR", "The multipart form is incomplete or malformed.", undefined, {
    cause,
  });
}
