import type { ErrorCode } from "./errors.ts";
import { type ApiRequest, callOf, dataOf, type Send } from "./request.ts";
import { notify } from "./session.ts";
import type { Call, Upload } from "./types.ts";

/** Sends a file with the other fields of its form. */
export function upload(
  send: Send,
  request: ApiRequest,
  { file, onProgress, ...fields }: Upload,
): Call<unknown, ErrorCode> {
  const raw = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) raw.append(name, typeof value === "object" ? JSON.stringify(value) : `${value}`);
  // React Native has its own form of a file.
  raw.append("file", file as Blob);
  let loaded = 0;
  let total = (file as Partial<Blob>).size ?? 0;
  const report: NonNullable<ApiRequest["upload"]> = (progress) => {
    // A repeated request begins again. An unknown length is 0.
    loaded = Math.max(loaded, progress.loaded);
    total = Math.max(total, progress.total, loaded);
    if (onProgress) notify(onProgress, { loaded, total });
  };
  const sending = send({ timeout: 0, ...request, raw, upload: onProgress ? report : null });
  return callOf(
    sending.then((success) => {
      report({ loaded: total, total });
      return success;
    }),
    dataOf,
  );
}
