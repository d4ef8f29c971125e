import type { GetObjectCommandInput } from "@aws-sdk/client-s3";
import type { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import { encodeKey } from "../../keys/file-key.ts";

export interface ObjectLinksOptions {
  readonly bucket: string;
  readonly signer: S3RequestPresigner;
  /** The SDK's own way. */
  readonly signSlowly: (input: GetObjectCommandInput) => Promise<string>;
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
