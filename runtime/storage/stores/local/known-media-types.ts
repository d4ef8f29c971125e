import type { FileHandle } from "node:fs/promises";
import { BoundedCache } from "../../../concurrency/index.ts";
import { ContentProbe, mediaTypeNamed } from "../../content/media-type.ts";
import { zipType, zipTypeOf } from "../../content/zip-type.ts";
import { answered, type FileState } from "../disk.ts";

const chunkBytes = 65_536;

/** Remembers the types of files: to find the one of a text, all of it is read. */
export class KnownMediaTypes {
  readonly #known = new BoundedCache<{ readonly mediaType: string }>({ entries: 20_000 });
  readonly #sought = new Map<string, Promise<string>>();

  /** The type of a file in this state. Null where it is not known yet. */
  known(name: string, state: FileState): string | null {
    return this.#known.get(identityOf(name, state))?.mediaType ?? null;
  }

  /** The type of an open file, which is in this state. Of many who ask at once one reads it. */
  async find(file: FileHandle, name: string, state: FileState): Promise<string> {
    const known = this.known(name, state);
    if (known !== null) return known;
    const identity = identityOf(name, state);
    const sought = this.#sought.get(identity) ?? this.#seek(file, name, identity);
    this.#sought.set(identity, sought);
    try {
      return await sought;
    } finally {
      this.#sought.delete(identity);
    }
  }

  async #seek(file: FileHandle, name: string, identity: string): Promise<string> {
    const mediaType = await mediaTypeOf(file, name);
    const after = await answered(file.stat({ bigint: true }));
    if (identityOf(name, after) === identity) this.#known.add(identity, { mediaType });
    return mediaType;
  }
}

/** What was written, renamed or linked is another one. Of its name, the end says what a text is. */
function identityOf(name: string, { dev, ino, size, mtimeNs, ctimeNs }: FileState): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs} ${name.slice(name.lastIndexOf(".") + 1)}`;
}

/** The media type of an open file under a name. Of most files that are no text, only the beginning is read. */
export async function mediaTypeOf(file: FileHandle, name: string): Promise<string> {
  const probe = new ContentProbe();
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await answered(
      file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position),
    );
    position += bytesRead;
    if (bytesRead === 0 || !probe.take(buffer.subarray(0, bytesRead))) break;
  }
  const kind = await probe.end();
  const magic = kind.magic === zipType ? await answered(zipTypeOf(file)) : kind.magic;
  return mediaTypeNamed({ ...kind, magic }, name);
}
