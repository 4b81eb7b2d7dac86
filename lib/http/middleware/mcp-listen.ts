import { type AuthInfo, createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CredentialActor } from '#lib/core/actor.ts';
import type { McpHost } from '#lib/mcp/protocol/host.ts';
import { watchAccount } from '#lib/mcp/resources/watch.ts';
import { pollChanges } from './poll-changes.ts';
import { takePlace } from './stream-places.ts';

type Listening = {
  host: McpHost;
  message: unknown;
  /** Who asks, with the rights of this moment; throws once the credential may not read any more. */
  currentActor(): Promise<CredentialActor>;
  server(): McpServer;
};

/**
 * Answers `subscriptions/listen` with a stream of changes to the account's resources, found by comparing versions every five seconds. It ends
 * after 50 seconds, or when this instance shuts down or its credential may no longer read, in the way of the protocol, and the client listens
 * again. Errors: `rate_limited` (four streams of an account on one instance), `invalid_request`, `not_found`.
 */
export async function listen(
  request: Request & { auth?: AuthInfo },
  listening: Listening,
): Promise<Response> {
  const { host, message, currentActor, server } = listening;
  const { accountId } = host.context.actor;
  const uris = filterSchema.safeParse(message).data?.params.notifications.resourceSubscriptions ?? [];
  const release = takePlace(accountId);
  try {
    const watch = await watchAccount(host, uris, currentActor);
    const handler = createMcpHandler(server, { bus: watch.bus, maxSubscriptions: 1 });
    const response = await handler.fetch(request, request.auth ? { authInfo: request.auth } : {});
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
      release();
      return response;
    }
    const end = new AbortController();
    void pollChanges(end.signal, watch.poll)
      .catch((error: unknown) => host.refusal(error))
      .then(() => handler.close())
      .finally(release);
    for (const signal of [request.signal, host.context.stopping])
      if (signal?.aborted) end.abort();
      else signal?.addEventListener('abort', () => end.abort(), { once: true, signal: end.signal });
    return new Response(
      endingWith(response.body, () => end.abort()),
      { status: response.status, headers: response.headers },
    );
  } catch (thrown) {
    release();
    throw thrown;
  }
}

const filterSchema = z.object({
  params: z.object({
    notifications: z.object({ resourceSubscriptions: z.array(z.string()).optional() }),
  }),
});

/** The same stream; `ended` runs when it is read to its end or given up. */
function endingWith(body: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      ended();
      controller.close();
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
}
