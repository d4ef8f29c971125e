import type { Server, Upload } from "@tus/server";
import { ServiceError } from "../../../../core/errors/index.ts";
import { keyTakenError } from "../../files/store-file.ts";
import { storeUpload } from "../../files/store-upload.ts";
import { discard, receiveFile } from "../../incoming/receive-file.ts";
import { encodeKey } from "../../keys/file-key.ts";
import { storageError, withStorageErrors } from "../../storage-error.ts";
import { makeFolder } from "../../stores/disk.ts";
import type { StorageCall } from "../storage-route.ts";
import { FormFields } from "../upload-form.ts";
import type { UnfinishedUploads } from "./unfinished-uploads.ts";

/** An authorised request for an upload of the caller. */
export interface ResumableCall extends Pick<StorageCall, "services" | "allowedPrefix" | "request"> {
  readonly id: string;
  /** Public URL path of all resumable uploads. */
  readonly path: string;
}

/** The progress of a request. */
export interface TusProgress {
  failure: unknown;
  /** Whether the file is stored, or was refused when all bytes had arrived. */
  isOver: boolean;
}

export type Tus = Awaited<ReturnType<typeof loadTus>>;

/** Loads the optional packages. Uploads expire `lifetimeMs` after they began. */
export async function loadTus(folder: string, lifetimeMs: number) {
  const [{ Server }, { FileStore }] = await Promise.all([import("@tus/server"), import("@tus/file-store")]);
  // The package creates it, too, but a failure there would end the process.
  await makeFolder(folder);
  const files = new FileStore({ directory: folder, expirationPeriodInMilliseconds: lifetimeMs });
  files.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  return { Server, files };
}

/** A server of the protocol for one request, with the checks of other uploads. */
export function tusServer(
  { Server, files }: Tus,
  unfinished: UnfinishedUploads,
  { services, allowedPrefix, id, path }: ResumableCall,
  progress: TusProgress,
): Server {
  const { settings, store } = services;
  const limit = settings.maxFileSizeBytes;
  return new Server({
    datastore: files,
    path,
    relativeLocation: true,
    allowedOrigins: [],
    maxSize: limit,
    namingFunction: () => id,
    getFileIdFromRequest: () => id,
    async onUploadCreate(_, { metadata }) {
      const { key, overwrite } = readTarget(metadata, allowedPrefix);
      const isTaken = !overwrite && (await withStorageErrors(store.head(key))) !== null;
      if (isTaken) throw keyTakenError(overwrite, undefined);
      await withStorageErrors(unfinished.create(id));
      return {};
    },
    async onUploadFinish(_, upload) {
      const target = readTarget(upload.metadata, allowedPrefix);
      // A copy, which no late write of another process can change.
      const file = await receiveFile(files.read(id), { folder: store.stagingFolder, limit });
      try {
        if (file.size !== upload.size) throw new Error("an upload changed while it was stored");
        const { url } = await storeUpload(services, { ...target, file });
        progress.isOver = true;
        return { headers: { "X-File-Path": encodeKey(target.key), "X-File-Url": url } };
      } catch (error) {
        progress.isOver = storageError(error).status < 500;
        throw error;
      } finally {
        await discard(file.path);
      }
    },
    onResponseError(_, error) {
      progress.failure ??= error;
      return undefined;
    },
  });
}

/** The key in the metadata of an upload. Errors: 400, `PERMISSION_DENIED`. */
export function readTarget(metadata: Upload["metadata"], allowedPrefix: string | null) {
  let name = "";
  const filename = (value: string) => {
    name = value;
  };
  const fields = new FormFields(allowedPrefix, { filename });
  for (const [field, value] of Object.entries(metadata ?? {})) fields.take(field, value ?? "");
  return { key: fields.keyFor(name), overwrite: fields.overwrite };
}

/** An error response of the package as an error of the service. Only the log gets the reason of a failure. */
export function tusError(status: number, text: string, failure: unknown): ServiceError {
  if (failure instanceof ServiceError || status === 500) return storageError(failure);
  if (status === 400) return new ServiceError("VALIDATION_ERROR", text.trim());
  if (status === 404) return new ServiceError("NOT_FOUND", text.trim());
  const headers = { "Tus-Version": "1.0.0" };
  return new ServiceError("HTTP_ERROR", text.trim(), undefined, { status, headers });
}
