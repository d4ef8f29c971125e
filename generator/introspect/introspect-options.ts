/** What a run of the introspection is asked to do. */
export interface IntrospectOptions {
  /** The project: all other paths are relative to it. */
  readonly root: string;
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  /** Replace models and migrations that are there. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Name of the service, for a new manifest. */
  readonly name: string;
}
