import { dispositionOf } from "../../../core/http/index.ts";
import { fileNameOf } from "../keys/file-key.ts";

export interface ServedHeaders {
  readonly contentType: string;
  /** `Content-Disposition`, in ASCII. */
  readonly disposition: string;
}

/** Textual types that do not begin with `text/`; the check for text guards them. */
const textTypes = new Set(["application/json", "image/svg+xml"]);
/** Types that a browser shows inline, because it runs no code in them. */
const inlineTypes = /^(image\/(jpeg|png|webp|gif|avif)|audio\/.*|video\/.*|text\/plain)$/;

/** Headers of a served file; S3 stores them with the object (docs/storage.md#links). */
export function servedHeaders({ key, mediaType }: { key: string; mediaType: string }): ServedHeaders {
  const isText = mediaType.startsWith("text/") || textTypes.has(mediaType);
  return {
    contentType: isText ? `${mediaType}; charset=utf-8` : mediaType,
    disposition: dispositionOf(inlineTypes.test(mediaType) ? "inline" : "attachment", fileNameOf(key)),
  };
}
