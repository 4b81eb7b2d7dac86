import type { z } from 'zod';
import type { CredentialActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { ServiceError } from '#lib/core/errors.ts';

/** What the endpoint provides to the tools, resources and prompts of one request. */
export type McpHost = {
  /** The context of the authenticated caller. */
  context: Context<CredentialActor>;
  /** The service's own origin, for addresses of the cockpit. */
  origin: string;
  validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S>;
  /** Turns anything thrown into the refusal that a caller reads. */
  refusal(thrown: unknown): ServiceError;
};

/** What a tool may use of its call beside its arguments. */
export type ToolCall = {
  origin: string;
  /** Aborted once the caller cancels or hangs up. */
  signal: AbortSignal;
  /**
   * Sends a progress notification to a caller that asked for them: `done` of `total`, where that is known. Throws once the caller cancels or
   * hangs up.
   */
  progress(done: number, total: number | null, message: string): Promise<void>;
};
