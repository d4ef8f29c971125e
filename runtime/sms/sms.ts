/** A text message to one phone number, in E.164. */
export interface Sms {
  readonly to: string;
  readonly text: string;
}

/** What sends text messages: a provider, as the service uses it. */
export interface SmsSender {
  /** Resolves when the provider has taken the message; rejects otherwise, 10 seconds after its turn at the latest. */
  send(sms: Sms): Promise<void>;
}
