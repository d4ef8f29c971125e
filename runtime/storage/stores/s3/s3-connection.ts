import type * as Sdk from "@aws-sdk/client-s3";
import type { Upload } from "@aws-sdk/lib-storage";
import type { S3StorageSettings } from "../../../config/index.ts";
import { ObjectLinks } from "./object-links.ts";

/** The SDK, loaded, and what it speaks to. */
export interface S3Connection {
  readonly sdk: typeof Sdk;
  readonly Upload: typeof Upload;
  readonly client: Sdk.S3Client;
  readonly bucket: string;
  readonly links: ObjectLinks;
  /** What no message may show. */
  readonly secrets: readonly string[];
}

/** More than requests of uploads, deletions, lists and links at once. */
const mostConnections = 256;

const ignore = () => {};
/** The SDK would write warnings to the console. */
const silentLog = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Loads the SDK, which nobody else pays for, and makes a client. Nothing is sent. */
export async function connectS3(settings: S3StorageSettings): Promise<S3Connection> {
  const [sdk, { Upload }, { getSignedUrl, S3RequestPresigner }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/lib-storage"),
    import("@aws-sdk/s3-request-presigner"),
  ]);
  const { bucket, region, endpoint, forcePathStyle, credentials } = settings;
  const secret = credentials?.secretAccessKey.export().toString();
  const client = new sdk.S3Client({
    ...(region !== null && { region }),
    ...(endpoint !== null && { endpoint }),
    ...(credentials !== null &&
      secret !== undefined && {
        credentials: { accessKeyId: credentials.accessKeyId, secretAccessKey: secret },
      }),
    forcePathStyle,
    logger: silentLog,
    requestHandler: {
      httpAgent: { maxSockets: mostConnections },
      httpsAgent: { maxSockets: mostConnections },
    },
  });
  return {
    sdk,
    Upload,
    client,
    bucket,
    links: new ObjectLinks({
      bucket,
      signer: new S3RequestPresigner(client.config),
      signSlowly: (input) => getSignedUrl(client, new sdk.GetObjectCommand(input)),
    }),
    secrets: secret === undefined ? [] : [secret],
  };
}
