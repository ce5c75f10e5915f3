/** Declarations as the server writes them, for tests. */
export const SAMPLE = `/** The answer of an action. */
interface Observation<Data = any> {
  readonly ok: true;
}

/** The actions. */
declare const aside: {
  readonly file: {
    /** Creates a file. */
    create(args: {
      count?: number | null;
      edits?: {
        "old-text": string;
      }[];
      mode?: "new" | "replace";
      /** The path *\\/ in the workspace. */
      path: string;
    }): Promise<Observation>;
  };
  readonly ui: {
    readonly tabs: {
      close(args?: Record<string, never>): Promise<Observation>;
    };
  };
  /** Waits, at most a day. */
  sleep(milliseconds: number): Promise<void>;
};
`;
