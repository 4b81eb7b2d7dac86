import type { ErrorCode } from '#lib/core/errors.ts';
import type { BoundDeclaration } from './declaration.ts';

/** Every code that a route can refuse with: those of its kind of caller, those that reading its body adds, its own. */
export function declaredErrors({ commonErrors, body, errors }: BoundDeclaration): ErrorCode[] {
  const ofBody: ErrorCode[] = body
    ? ['payload_too_large', ...(body.type === 'json' ? (['unsupported_media_type'] as const) : [])]
    : [];
  return [...new Set([...commonErrors, ...ofBody, ...(errors ?? [])])];
}
