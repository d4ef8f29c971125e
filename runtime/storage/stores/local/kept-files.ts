import { randomUUID } from "node:crypto";
import { copyFile, link, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileKey } from "../../keys/file-key.ts";
import { thumbnailFolder } from "../../keys/thumbnail-key.ts";
import { answered, codeOf, fileAt, ifThere, makeFolder } from "../disk.ts";
import type { KeptFile } from "../file-store.ts";
import { versionOf } from "./file-reader.ts";
import { placeFile } from "./place-file.ts";
import { noLinks } from "./rename-if-free.ts";
import type { RootFolder } from "./root-folder.ts";

/** Files beside what happens to them: second names of them in the staging folder. */
export class KeptFiles {
  readonly #root: RootFolder;
  readonly #stagingFolder: string;

  constructor(root: RootFolder, stagingFolder: string) {
    this.#root = root;
    this.#stagingFolder = stagingFolder;
  }

  /** Keeps a file and its thumbnails. Null where there is no such file. */
  async keep(key: FileKey): Promise<KeptFile | null> {
    const path = await this.#root.find(key);
    if (path === null || (await fileAt(path)) === null) return null;
    const place = join(this.#stagingFolder, `kept-${randomUUID()}`);
    try {
      await makeFolder(thumbnailsIn(place));
      const version = await keepAt(path, originalIn(place));
      for (const [name, thumbnail] of await this.#thumbnailsOf(key))
        await keepAt(thumbnail, join(thumbnailsIn(place), name));
      return { key, version, place };
    } catch (error) {
      await this.#remove(place);
      if ((await fileAt(path)) === null) return null;
      throw error;
    }
  }

  /** Puts everything back. The file comes before its thumbnails, so that there are none without it. */
  async restore({ key, place }: KeptFile): Promise<void> {
    await this.removeThumbnails(key);
    await this.#place(key, originalIn(place));
    for (const name of await answered(readdir(thumbnailsIn(place))))
      await this.#place(thumbnailFolder(key) + name, join(thumbnailsIn(place), name));
    await this.#remove(place);
  }

  /** Removes what was kept, in whatever state it is. */
  forget({ place }: KeptFile): Promise<void> {
    return this.#remove(place);
  }

  /** Removes the thumbnails of a picture: they are all gone at once. */
  async removeThumbnails(key: FileKey): Promise<void> {
    const path = await this.#root.find(thumbnailFolder(key).slice(0, -1));
    if (path === null) return;
    const place = join(this.#stagingFolder, `removed-${randomUUID()}`);
    await makeFolder(this.#stagingFolder);
    await ifThere(rename(path, place));
    await answered(rm(place, { recursive: true, force: true }));
    await this.#root.removeEmptyAbove(path);
  }

  async #remove(place: string): Promise<void> {
    await answered(rm(place, { recursive: true, force: true }));
  }

  #place(key: string, staged: string): Promise<void> {
    return placeFile({ root: this.#root, stagingFolder: this.#stagingFolder }, key, staged, true);
  }

  /** Names and paths. */
  async #thumbnailsOf(key: FileKey): Promise<[name: string, path: string][]> {
    const inside = await this.#root.find(`${thumbnailFolder(key)}any`);
    if (inside === null) return [];
    const entries = (await ifThere(readdir(dirname(inside), { withFileTypes: true }))) ?? [];
    return entries.filter((entry) => entry.isFile()).map(({ name }) => [name, join(dirname(inside), name)]);
  }
}

const originalIn = (place: string) => join(place, "file");

const thumbnailsIn = (place: string) => join(place, "thumbnails");

/** Gives a file a second name; where it can have none, makes a copy. Tells the version that was kept. */
async function keepAt(path: string, other: string): Promise<string> {
  try {
    await answered(link(path, other));
  } catch (error) {
    if (!noLinks.has(codeOf(error))) throw error;
    return copied(path, other);
  }
  return versionAt(other);
}

/** A copy has a version of its own. Of a file that is overwritten meanwhile another one is made. */
async function copied(path: string, other: string): Promise<string> {
  const version = await versionAt(path);
  await answered(copyFile(path, other));
  return (await versionAt(path)) === version ? version : copied(path, other);
}

async function versionAt(path: string): Promise<string> {
  const state = await fileAt(path);
  if (state === null) throw new Error("what was to be kept is gone");
  return versionOf(state);
}
