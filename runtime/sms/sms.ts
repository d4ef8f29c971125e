/** A text message to one phone number, in E.164. */
export interface Sms {
  readonly to: string;
  readonly text: string;
  /** The same in each try to send it, such as a UUID, for providers that know by it what they have taken; default a new one. */
  readonly id?: string;
}

/** What sends text messages: a provider, as the service uses it. */
export interface SmsSender {
  /** Resolves when the provider has taken the message; rejects otherwise, 10 seconds after its turn at the latest. */
  send(sms: Sms): Promise<void>;
}
