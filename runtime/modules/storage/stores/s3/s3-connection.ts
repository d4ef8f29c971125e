import type * as Sdk from "@aws-sdk/client-s3";
import type { Upload } from "@aws-sdk/lib-storage";
import type { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import type { S3StorageSettings } from "../../../../core/config/index.ts";
import { encodeKey } from "../../keys/file-key.ts";

/** The loaded SDK and its client. */
export interface S3Connection {
  readonly sdk: typeof Sdk;
  readonly Upload: typeof Upload;
  readonly client: Sdk.S3Client;
  readonly bucket: string;
  readonly links: ObjectLinks;
  /** Values that no message can contain. */
  readonly secrets: readonly string[];
}

/** Enough for concurrent uploads, deletions, lists and links. */
const mostConnections = 256;

const ignore = () => {};
/** The SDK logs warnings to the console by default. */
const silentLog = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Loads the SDK lazily and creates a client. Sends no request. */
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
      signWithSdk: (input) => getSignedUrl(client, new sdk.GetObjectCommand(input)),
    }),
    secrets: secret === undefined ? [] : [secret],
  };
}

interface ObjectLinksOptions {
  readonly bucket: string;
  readonly signer: S3RequestPresigner;
  /** Signs with the SDK's middleware. */
  readonly signWithSdk: (input: Sdk.GetObjectCommandInput) => Promise<string>;
}

/** Signs links. The SDK runs once, for the URL of the bucket. Then only its signer runs, which is faster. */
export class ObjectLinks {
  readonly #options: ObjectLinksOptions;
  #address: Promise<URL> | null = null;

  constructor(options: ObjectLinksOptions) {
    this.#options = options;
  }

  /** Base URL of all objects, without a trailing slash. */
  async baseUrl(): Promise<string> {
    const { origin, pathname } = await this.#bucketUrl();
    return `${origin}${pathname.slice(0, -1)}`;
  }

  /** A link that reads an object and expires after `expiresSeconds`. */
  async sign(key: string, expiresSeconds: number): Promise<string> {
    const { origin, protocol, hostname, port, host, pathname } = await this.#bucketUrl();
    const path = `${pathname}${encodeKey(key)}`;
    const { query = {} } = await this.#options.signer.presign(
      {
        method: "GET",
        protocol,
        hostname,
        ...(port !== "" && { port: Number(port) }),
        path,
        query: {},
        headers: { host },
      },
      { expiresIn: expiresSeconds },
    );
    const pairs = Object.entries(query).map(
      ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
    );
    return `${origin}${path}?${pairs.join("&")}`;
  }

  /** Concurrent calls share one look-up. Failures are not cached. */
  #bucketUrl(): Promise<URL> {
    this.#address ??= this.#findBucketUrl().catch((error: unknown) => {
      this.#address = null;
      throw error;
    });
    return this.#address;
  }

  /** With a trailing slash. The SDK knows it from the settings, the environment and its own files. */
  async #findBucketUrl(): Promise<URL> {
    const { bucket, signWithSdk: signSlowly } = this.#options;
    return new URL(".", await signSlowly({ Bucket: bucket, Key: "a" }));
  }
}
