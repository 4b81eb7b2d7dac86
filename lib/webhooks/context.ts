import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { SafePost } from '#lib/core/net/safe-post.ts';
import type { Sealer } from './secrets.ts';

/** Why an endpoint was disabled, for who created it and the founders. */
export type DisabledNotice = {
  accountId: string;
  endpointId: string;
  host: string;
  reason: string;
  emails: string[];
};

/** The outside services that webhooks use. */
export type WebhookPorts = {
  post: SafePost;
  /** Throws the `FetchRefusal` that `post` would, as far as the address and its names say. */
  checkAddress(url: string): Promise<void>;
  sealer: Sealer;
  /** 0 ≤ x < 1. */
  chance(): number;
  mail(notice: DisabledNotice): Promise<void>;
};

export type WebhookContext<A extends Actor = Actor> = Context<A> & { webhooks: WebhookPorts };
