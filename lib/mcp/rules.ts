import type { Scope } from '#lib/core/actor.ts';
import type { Envelope } from './protocol/json-rpc.ts';
import { TOOLS } from './register-tools.ts';

/** The scope and the rate class of a request, and whether its answer is long in coming, known before the protocol runs it. */
export type McpRules = { scope: Scope; isWrite: boolean; isLong?: boolean };

const READS_BRAIN: ReadonlySet<string> = new Set([
  'resources/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
]);

/** The rules of a message; undefined where any credential may send it (handshakes, and lists that are the same for everybody). */
export function rulesOf({ method, tool }: Pick<Envelope, 'method' | 'tool'>): McpRules | undefined {
  if (tool !== null) return TOOLS.find(({ name }) => name === tool);
  return method !== null && READS_BRAIN.has(method) ? { scope: 'brain:read', isWrite: false } : undefined;
}
