import type * as Sdk from "@aws-sdk/client-s3";
import type { Upload } from "@aws-sdk/lib-storage";
import type { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import type { S3StorageSettings } from "../../../../core/config/index.ts";
import { encodeKey } from "../../keys/file-key.ts";

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

interface ObjectLinksOptions {
  readonly bucket: string;
  readonly signer: S3RequestPresigner;
  /** The SDK's own way. */
  readonly signSlowly: (input: Sdk.GetObjectCommandInput) => Promise<string>;
}

/**
 * Signs links to objects. The SDK's own way goes through all of the SDK for each, which takes the processor some milliseconds, and a list
 * has a thousand: it is gone once, to learn the address, and then its signer alone is asked.
 */
export class ObjectLinks {
  readonly #options: ObjectLinksOptions;
  #address: Promise<URL> | null = null;

  constructor(options: ObjectLinksOptions) {
    this.#options = options;
  }

  /** What the addresses of all objects begin with, without a slash at its end. */
  async baseUrl(): Promise<string> {
    const { origin, pathname } = await this.#bucketAddress();
    return `${origin}${pathname.slice(0, -1)}`;
  }

  /** A link that reads an object for so many seconds. */
  async sign(key: string, expiresSeconds: number): Promise<string> {
    const { origin, protocol, hostname, port, host, pathname } = await this.#bucketAddress();
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

  /** Of many who ask at once one goes the slow way. What has failed is asked for again. */
  #bucketAddress(): Promise<URL> {
    this.#address ??= this.#learnAddress().catch((error: unknown) => {
      this.#address = null;
      throw error;
    });
    return this.#address;
  }

  /** Ends with a slash, wherever it comes from: settings, variables, files of the SDK. */
  async #learnAddress(): Promise<URL> {
    const { bucket, signSlowly } = this.#options;
    return new URL(".", await signSlowly({ Bucket: bucket, Key: "a" }));
  }
}
