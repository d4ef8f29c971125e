import type { ApiRequest } from "./request.ts";
import type { Upload } from "./types.ts";

/** The parts of a request that send a file with the fields of its form, and report its progress. */
export function uploadOf(input: Upload): Pick<ApiRequest, "raw" | "upload"> & { finish(): void } {
  const { file, onProgress, ...fields } = input;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  // React Native takes its own form of a file.
  form.append("file", file as Blob);
  let loaded = 0;
  let total = "size" in file ? file.size : 0;
  const report = (progress: { loaded: number; total: number }) => {
    // A repeated request begins again.
    loaded = Math.max(loaded, progress.loaded);
    total = progress.total;
    onProgress?.({ loaded, total });
  };
  return {
    raw: form,
    upload: onProgress ? { file, onProgress: report } : { file },
    finish: () => onProgress?.({ loaded: total, total }),
  };
}
