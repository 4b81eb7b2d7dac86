/**
 * An example as it is shown, and as tests/api/docs/examples.test.ts runs it. A command reads `$SPACE_ID` and its like from the shell; a
 * program finds the same values as `spaceId`, and the client of the page's first lines as `atelier`.
 */
export type OperationExample = { curl: string; typescript: string };

/** The arguments of a tool; a value of the form `$SPACE_ID` stands for an identifier of the reader's own. */
export type ToolExample = {
  arguments: Record<string, unknown>;
  /** The operation that does the same, on whose page the call is shown too. */
  twin?: string;
};

/** A step of a guide: a command, a whole program that imports the client, or both. */
export type GuideExample = {
  curl?: string;
  typescript?: string;
  /** What the last command is answered, when it is no success: an example may show a refusal, or that nothing changed. */
  status?: number;
};
