import type { ErrorCode } from "./errors.ts";
import { type ApiRequest, callOf, type Send } from "./request.ts";
import type { Call, Upload } from "./types.ts";

/** Sends a file with the other fields of its form. */
export function upload(
  send: Send,
  request: ApiRequest,
  { file, onProgress, ...fields }: Upload,
): Call<unknown, ErrorCode> {
  const raw = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) raw.append(name, typeof value === "string" ? value : JSON.stringify(value));
  // React Native has its own form of a file.
  raw.append("file", file as Blob);
  let loaded = 0;
  let total = "size" in file ? file.size : 0;
  const report = (progress: Progress) => {
    // A repeated request begins again.
    loaded = Math.max(loaded, progress.loaded);
    total = progress.total;
    onProgress?.({ loaded, total });
  };
  return callOf(send({ timeout: 0, ...request, raw, upload: onProgress ? report : null }), ({ data }) => {
    onProgress?.({ loaded: total, total });
    return data;
  });
}

type Progress = Parameters<NonNullable<Upload["onProgress"]>>[0];
