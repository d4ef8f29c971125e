import { invalid, type Problem, refuseProblems, type ServiceError } from "../../../core/errors/index.ts";
import { discard, type IncomingFile } from "../incoming/receive-file.ts";
import { type FileKey, keyRules, readFileKey, readKeyPrefix, safeFileName } from "../keys/file-key.ts";
import { requireAllowedKey } from "../keys/key-reach.ts";
import { readUpload } from "./multipart.ts";
import { readFlag, type StorageCall } from "./storage-route.ts";

interface UploadForm {
  readonly key: FileKey;
  readonly file: IncomingFile;
  readonly overwrite: boolean;
}

/** Readers of optional fields. An error refuses the upload. */
type FieldReaders = Readonly<Record<string, (value: string) => void>>;

/** Receives and stores a form's file, and removes its staged file. Refuses as early as possible. */
export async function receiveForm<Value>(
  call: StorageCall,
  others: FieldReaders,
  store: (form: UploadForm) => Promise<Value>,
): Promise<Value> {
  const { services, user, allowedPrefix, request, response, problems } = call;
  refuseProblems(problems);
  if (allowedPrefix === null) requireAllowedKey(allowedPrefix, "");
  const leave = services.uploads.take(user);
  const { trace } = request.context;
  const step = trace.begin("validate");
  try {
    const fields = new FormFields(allowedPrefix, others);
    const { name, file } = await readUpload(request, response, {
      folder: services.store.stagingFolder,
      limit: services.settings.maxFileSizeBytes,
      takeField: (field, value) => fields.take(field, value),
    });
    try {
      const key = fields.keyFor(name);
      trace.end(step);
      return await store({ key, file, overwrite: fields.overwrite });
    } finally {
      await discard(file.path);
    }
  } finally {
    leave();
  }
}

/** Form fields; they can come before or after the file. */
export class FormFields {
  readonly #allowedPrefix: string | null;
  readonly #others: FieldReaders;
  #path = "";
  overwrite = false;

  constructor(allowedPrefix: string | null, others: FieldReaders) {
    this.#allowedPrefix = allowedPrefix;
    this.#others = others;
  }

  take(name: string, value: string): void {
    if (name === "path") this.#takePath(value);
    else if (name === "overwrite") this.#takeOverwrite(name, value);
    else if (Object.hasOwn(this.#others, name)) this.#others[name]?.(value);
    else throw invalid([{ field: name, message: "is not a field of this form" }]);
  }

  /** The key of a file with this client-side name. */
  keyFor(name: string): FileKey {
    const key = isFolder(this.#path) ? keyIn(this.#path, name) : readFileKey(this.#path);
    if (key === null) throw wrongPath();
    requireAllowedKey(this.#allowedPrefix, key);
    return key;
  }

  #takeOverwrite(name: string, value: string): void {
    const problems: Problem[] = [];
    this.overwrite = readFlag(name, value, problems);
    refuseProblems(problems);
  }

  #takePath(value: string): void {
    const path = isFolder(value) ? readKeyPrefix(value) : readFileKey(value);
    if (path === null) throw wrongPath();
    requireAllowedKey(this.#allowedPrefix, path);
    this.#path = path;
  }
}

/** Whether the path is a folder, so that the file name is appended. */
function isFolder(path: string): boolean {
  return path === "" || path.endsWith("/");
}

function keyIn(folder: string, name: string): FileKey | null {
  const segment = safeFileName(name);
  return segment === null ? null : readFileKey(folder + segment);
}

function wrongPath(): ServiceError {
  return invalid([{ field: "path", message: keyRules }]);
}
