import type { Problem } from "./problem.ts";

/** What the file system says, in words; other codes of it are bugs of the generator. */
const fileSystemReasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not do that",
  EPERM: "this user may not do that",
  EROFS: "it stands on a file system that is read-only",
  ENOSPC: "there is no space left on the disk",
  EDQUOT: "there is no space left for this user",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "a file stands where a folder is needed",
  EISDIR: "a folder stands where a file is needed",
  ENOTEMPTY: "a folder stands where a file is needed",
  EBUSY: "another program uses it",
  ELOOP: "its links go in a circle",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
};

/** A file that cannot be read or written, or null for another error. */
export function fileSystemProblem(error: unknown): Problem | null {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return null;
  const reason = fileSystemReasons[String(error.code)];
  if (reason === undefined) return null;
  const [path] = ["dest", "path"].flatMap((name) => Reflect.get(error, name) ?? []);
  return {
    kind: "file-system",
    message: `${path ?? "a file"} cannot be read or written: ${reason} (${error.code})`,
    details: "",
    fix: "see to that path, and run again",
  };
}
