/** A credential that was entered under Authorize, by the name of its scheme. */
type Authorized = Readonly<Record<string, { readonly value: string } | undefined>>;

/** The parts of Swagger UI that the page uses. */
interface System {
  readonly authSelectors: { authorized(): { toJS(): Authorized } | undefined };
  readonly specActions: { updateSpec(text: string): void };
  readonly errActions: { clear(): void; newThrownErr(error: unknown): void };
}

type Wrap = (original: (payload: unknown) => void, system: System) => (payload: unknown) => Promise<void>;

interface SwaggerUiOptions {
  readonly domNode: HTMLElement | null;
  readonly spec: object;
  readonly validatorUrl: null;
  readonly showExtensions: boolean;
  readonly docExpansion: "none";
  readonly plugins: readonly (() => object)[];
}

declare const SwaggerUIBundle: (options: SwaggerUiOptions) => void;

declare const GraphiQL: {
  readonly GraphQL: { buildSchema(text: string): object };
  createFetcher(options: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  }): object;
};

declare const React: { createElement(component: object, properties: object): object };

declare const ReactDOM: { createRoot(element: HTMLElement | null): { render(element: object): void } };
