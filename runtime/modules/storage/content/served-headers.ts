import { dispositionOf } from "../../../core/http/index.ts";
import { fileNameOf } from "../keys/file-key.ts";

/** How whoever reads a file is told what it is. */
export interface ServedHeaders {
  readonly contentType: string;
  /** `Content-Disposition`, in ASCII. */
  readonly disposition: string;
}

/** Text by another name: its type is given to nothing else. */
const textTypes = new Set(["application/json", "image/svg+xml"]);
/** What a browser shows in a page of its own: it runs nothing of these. */
const shown = /^(image\/(jpeg|png|webp|gif|avif)|audio\/.*|video\/.*|text\/plain)$/;

/** The headers that a file is served with, and stored with on S3 (docs/storage.md#links). */
export function servedHeaders({ key, mediaType }: { key: string; mediaType: string }): ServedHeaders {
  const isText = mediaType.startsWith("text/") || textTypes.has(mediaType);
  return {
    contentType: isText ? `${mediaType}; charset=utf-8` : mediaType,
    disposition: dispositionOf(shown.test(mediaType) ? "inline" : "attachment", fileNameOf(key)),
  };
}
