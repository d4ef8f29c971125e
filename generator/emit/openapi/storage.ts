import { everyRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import { localFilesRoute, storageRoutes } from "../../../vocabulary/built-in-routes.ts";
import type { DocumentedOperation, Part } from "../../../vocabulary/openapi/document.ts";
import { reference } from "../../../vocabulary/openapi/document.ts";
import {
  largestFilePage,
  linkLifetime,
  maxThumbnails,
  mostRemovals,
  thumbnailBounds,
} from "../../../vocabulary/storage.ts";
import type { StorageDefinition } from "../../definition/definition.ts";
import {
  credentialErrors,
  type ErrorsByStatus,
  errorsOf,
  httpErrors,
  joinErrors,
} from "./error-responses.ts";
import { list, type OperationFacts, type OperationMaker, object, successResponse } from "./operation.ts";
import { pathsOfTable, type RouteGroup } from "./route-group.ts";
import { answer, queryParameter, whole } from "./shared-components.ts";

type StorageRow = (typeof storageRoutes)[number];

/** The facts of a route that its row does not have. */
interface StorageFacts extends Pick<OperationFacts, "operationId" | "summary" | "parameters" | "body"> {
  readonly data: Part;
  readonly errors: ErrorsByStatus;
}

const text = { type: "string" };
const nonEmpty = { type: "string", minLength: 1 };
const bytes = { type: "string", format: "binary" };
const link = { type: "string", format: "uri" };
const stored = { url: link, filename: text, size: whole, mime_type: text };
const pixels = { type: "integer", minimum: 1 };

/** Files in answers. */
export const storageSchemas = {
  StoredFile: answer(stored),
  StoredImage: answer({ ...stored, path: text, width: pixels, height: pixels }),
  ListedFile: answer({ path: text, size: whole, url: link }),
};

const side = { type: "integer", minimum: thumbnailBounds.minSide, maximum: thumbnailBounds.maxSide };
const thumbnailSize = {
  ...object({ name: { type: "string", pattern: thumbnailBounds.name.source }, width: side, height: side }, [
    "width",
    "height",
  ]),
  anyOf: [{ required: ["width"] }, { required: ["height"] }],
};

const flag = { type: "boolean", default: false };
const key =
  "Segments of letters, digits, blanks, `.`, `_` and `-`, with `/` between them, at most 512 bytes.";
const formParts = {
  file: bytes,
  path: {
    ...text,
    default: "",
    description: `${key} The name of the file is appended to a path that is empty or ends with \`/\`.`,
  },
  overwrite: { ...flag, description: "Whether the file replaces another one at its path." },
};

/** A form, which is closed as JSON bodies are. */
function form(parts: Part = {}): NonNullable<OperationFacts["body"]> {
  const all = { ...formParts, ...parts };
  const optional = Object.keys(all).filter((name) => name !== "file");
  return { byType: { "multipart/form-data": object(all, optional) } };
}

const thumbnails = {
  anyOf: [
    { type: "boolean" },
    {
      type: "string",
      contentMediaType: "application/json",
      contentSchema: { ...list(thumbnailSize), maxItems: maxThumbnails },
    },
  ],
  default: false,
  description: "`true` for the thumbnails of the manifest, or the JSON of a list of them.",
};

const path = queryParameter("path", "The path of a file.", nonEmpty, true);
const movedPath = { ...text, description: key };
const uploadErrors = httpErrors(408, 409);
const notFound = errorsOf("NOT_FOUND");

const facts: Readonly<Record<StorageRow["path"], StorageFacts>> = {
  "/upload/image": {
    operationId: "storageUploadImage",
    summary: "Upload an image and make its thumbnails",
    body: form({ thumbnails }),
    data: answer(
      {
        original: reference("schemas", "StoredImage"),
        thumbnails: list({
          allOf: [reference("schemas", "StoredImage")],
          required: ["name"],
          properties: { name: text },
        }),
      },
      ["thumbnails"],
    ),
    errors: uploadErrors,
  },
  "/upload/file": {
    operationId: "storageUploadFile",
    summary: "Upload a file",
    body: form(),
    data: reference("schemas", "StoredFile"),
    errors: uploadErrors,
  },
  "/delete": {
    operationId: "storageDelete",
    summary: "Delete a file or a folder",
    parameters: [
      queryParameter("path", "The path of a file. Either this or `prefix`.", nonEmpty),
      queryParameter(
        "prefix",
        `A folder, which ends with \`/\`: its first ${mostRemovals} files and thumbnails are deleted.`,
        { type: "string", minLength: 2, pattern: "/$" },
      ),
      queryParameter("with_thumbnails", "Whether the thumbnails of the file are deleted, too.", flag),
    ],
    data: answer(
      { path: text, deleted: whole, failed: list(answer({ path: text })), more: { type: "boolean" } },
      ["deleted", "failed", "more"],
    ),
    errors: notFound,
  },
  "/url": {
    operationId: "storageUrl",
    summary: "Make a link to a file",
    parameters: [
      path,
      queryParameter("expires", "Seconds until the link expires. Default: `storage.url_ttl_seconds`.", {
        type: "integer",
        minimum: linkLifetime.min,
        maximum: linkLifetime.max,
      }),
    ],
    data: answer({ url: link }),
    errors: notFound,
  },
  "/list": {
    operationId: "storageList",
    summary: "List files by path",
    parameters: [
      queryParameter("prefix", "The beginning of the paths.", { ...text, default: "" }),
      queryParameter("after", "The `next` of the page before.", nonEmpty),
      queryParameter("limit", `Files of a page. Larger values count as ${largestFilePage}.`, {
        type: "integer",
        minimum: 1,
        default: largestFilePage,
      }),
    ],
    data: answer({ files: list(reference("schemas", "ListedFile")), next: text }, ["next"]),
    errors: {},
  },
  "/move": {
    operationId: "storageMove",
    summary: "Move a file with its thumbnails",
    body: object({ from: movedPath, to: movedPath, overwrite: formParts.overwrite }, ["overwrite"]),
    data: answer({ path: text, ...stored }),
    errors: joinErrors(notFound, httpErrors(409)),
  },
};

/** The routes of files. */
export function storageGroup(
  { slug, servesFiles, limits }: StorageDefinition,
  make: OperationMaker,
): RouteGroup {
  const tag = "storage";
  const prefix = `/${slug}`;
  const routes = pathsOfTable<StorageRow>(storageRoutes, prefix, ({ path, operation }) => {
    const { data, errors, ...rest } = facts[path];
    return make({
      ...rest,
      tag,
      credentials: "required",
      success: { 200: successResponse(descriptions[operation], data) },
      errors: joinErrors(routeErrors, errors),
      app: false,
      access: [{ role: signedInRole }],
      limit: limits[operation].limit,
    });
  });
  const files = servesFiles ? pathsOfTable([localFilesRoute], prefix, () => fileOperation(tag, make)) : {};
  return {
    tag,
    description: "Files of callers.",
    paths: { ...routes, ...files },
    schemas: storageSchemas,
  };
}

const descriptions = {
  upload: "The stored file with its link.",
  delete:
    "The path of the deleted file. Of a folder also the number of deleted files, the files that could not be deleted, and whether another request is needed.",
  url: "A link that needs no credential.",
  list: "A page of files with their links; `next` if more files follow.",
  move: "The file at its new path.",
};

const routeErrors = joinErrors(
  errorsOf("VALIDATION_ERROR", "MISSING_TOKEN", "PERMISSION_DENIED", "STORAGE_ERROR"),
  credentialErrors,
);

/** Sends a file, or parts of it. Its link is the credential. */
function fileOperation(tag: string, make: OperationMaker): DocumentedOperation {
  return make({
    operationId: "storageFile",
    tag,
    summary: "Open the link of a file",
    description:
      "A link is the `url` of an upload, a list or `storageUrl`. Slashes of `path` can be encoded as `%2F`.",
    credentials: "none",
    parameters: [
      { name: "path", in: "path", description: "The path of the file.", required: true, schema: text },
      queryParameter("expires", "The end of the link. Public files need none.", {
        type: "integer",
        minimum: 1,
      }),
      queryParameter("signature", "The signature of the link. Public files need none.", {
        type: "string",
        pattern: "^[0-9a-f]{64}$",
      }),
      ...["If-Match", "If-None-Match", "If-Range", "Range"].map((name) => ({
        name,
        in: "header",
        schema: text,
      })),
    ],
    success: {
      200: fileAnswer("The file.", { "Content-Disposition": { schema: text } }),
      206: fileAnswer("A part of the file.", {
        "Content-Disposition": { schema: text },
        "Content-Range": { schema: text },
      }),
      304: { description: "The file has not changed.", headers: fileHeaders },
    },
    errors: joinErrors(errorsOf("PERMISSION_DENIED", "NOT_FOUND", "STORAGE_ERROR"), httpErrors(412, 416)),
    app: false,
    access: [{ role: everyRole }],
    limit: null,
  });
}

const fileHeaders = { ETag: { schema: text }, "X-Request-Id": reference("headers", "X-Request-Id") };

function fileAnswer(description: string, headers: Part): Part {
  return { description, headers: { ...fileHeaders, ...headers }, content: { "*/*": { schema: bytes } } };
}
