declare const payloadType: unique symbol;

/** What knows the type of a job's payload; at run time there is nothing of it. */
export interface HasPayload<Payload> {
  readonly [payloadType]?: Payload;
}

export type PayloadOf<Job> = Job extends HasPayload<infer Payload> ? Payload : never;
