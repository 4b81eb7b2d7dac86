import type { z } from 'zod';
import type { CredentialActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { ServiceError } from '#lib/core/errors.ts';

/** What the endpoint gives to the tools, resources and prompts of one request. */
export type McpHost = {
  /** Who asks; made once the request is authenticated. */
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
  /** Tells a caller that asked for it how far the work is, of `total` where that is known; nothing otherwise. Throws once the caller cancels or hangs up. */
  progress(done: number, total: number | null, message: string): Promise<void>;
};
