import { posix } from "node:path";
import type { API, Diagnostic, Project } from "typescript/unstable/sync";
import { developmentModule } from "../packages/development-package.ts";

/** A program to look at: the project of a settings file and what is in it. */
export type CheckedProject = Project;

export type { Diagnostic };

/** Texts by absolute path that are not on disk, or not like that; null for files that will go. */
export type Overlay = ReadonlyMap<string, string | null>;

// The compiler is a process next to this one, which ends with it. It asks for each file that it may need.
let compiler: API | null = null;
let overlay: Overlay = new Map();
let folders: ReadonlySet<string> = new Set();

/** Loading what speaks to it takes a moment too. */
async function started(): Promise<API> {
  const module = developmentModule("typescript", "unstable/sync");
  const { API }: typeof import("typescript/unstable/sync") = await import(module);
  compiler ??= withFewCollections(
    () =>
      new API({
        fs: {
          // Undefined: as it is on disk.
          readFile: (path) => overlay.get(path),
          fileExists: (path) => (overlay.has(path) ? overlay.get(path) !== null : undefined),
          directoryExists: (path) => (folders.has(path) ? true : undefined),
        },
      }),
  );
  return compiler;
}

/** A process that ends soon has no use for memory that it frees: a fifth of the compiler's time. */
function withFewCollections<Value>(start: () => Value): Value {
  const own = process.env["GOGC"];
  process.env["GOGC"] = own ?? "400";
  try {
    return start();
  } finally {
    if (own === undefined) delete process.env["GOGC"];
  }
}

/**
 * Looks at the program of a settings file, given by its absolute path, which may be only in the overlay. Nothing of an earlier
 * call counts: every file is looked at again.
 */
export async function withProgram<Found>(
  settings: string,
  texts: Overlay,
  look: (project: CheckedProject) => Found,
): Promise<Found> {
  const api = await started();
  overlay = texts;
  folders = foldersOf(texts);
  try {
    const snapshot = api.updateSnapshot({
      openProjects: [settings],
      fileChanges: { invalidateAll: true },
    });
    const project = snapshot.getProject(settings);
    if (project === undefined) throw new Error(`the compiler does not know ${settings}`);
    const found = look(project);
    api.updateSnapshot({ closeProjects: [settings] }).dispose();
    snapshot.dispose();
    return found;
  } catch (error) {
    // This process may be gone, or know half of something: the next call begins with a new one.
    compiler = null;
    close(api);
    throw error;
  } finally {
    overlay = new Map();
    folders = new Set();
  }
}

/** Ends a process, which may have ended already. */
function close(api: API): void {
  try {
    api.close();
  } catch {}
}

/** All folders that hold something of an overlay, at any depth. */
function foldersOf(texts: Overlay): Set<string> {
  const found = new Set<string>();
  for (const [path, text] of texts)
    for (
      let folder = posix.dirname(path);
      text !== null && !found.has(folder);
      folder = posix.dirname(folder)
    )
      found.add(folder);
  return found;
}
