import { BoundedCache } from "../../../concurrency/index.ts";
import { mediaTypeOf } from "../../content/media-type.ts";
import { type FileState, fileAt } from "./disk.ts";

/** Remembers the types of files, since all of a text is read to find its type. */
export class KnownMediaTypes {
  readonly #known = new BoundedCache<{ readonly mediaType: string }>({ entries: 20_000 });
  readonly #sought = new Map<string, Promise<string | null>>();

  /** The type of the file at a path. Null where the file of that state is there no more. */
  async of(path: string, name: string, state: FileState): Promise<string | null> {
    const identity = identityOf(name, state);
    const known = this.#known.get(identity);
    if (known !== undefined) return known.mediaType;
    const sought = this.#sought.get(identity) ?? this.#find(path, name, identity);
    this.#sought.set(identity, sought);
    try {
      return await sought;
    } finally {
      this.#sought.delete(identity);
    }
  }

  async #find(path: string, name: string, identity: string): Promise<string | null> {
    const mediaType = await mediaTypeOf(path, name).catch((error: unknown) => error);
    const after = await fileAt(path);
    if (after === null || identityOf(name, after) !== identity) return null;
    if (typeof mediaType !== "string") throw mediaType;
    this.#known.add(identity, { mediaType });
    return mediaType;
  }
}

/** What was written, renamed or linked is another one. The name says what a text is. */
function identityOf(name: string, { dev, ino, size, mtimeNs, ctimeNs }: FileState): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs} ${name.slice(name.lastIndexOf("."))}`;
}
