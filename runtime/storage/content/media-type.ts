import { fileTypeFromFile } from "file-type";

/** The media type of a file, by its content. */
export async function mediaTypeOf(path: string, _name: string): Promise<string> {
  return (await fileTypeFromFile(path))?.mime ?? "application/octet-stream";
}
