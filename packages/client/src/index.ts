export { AtelierClient } from './client.ts';
export {
  AtelierConnectionError,
  AtelierError,
  type ErrorCode,
  isAtelierError,
} from './http/errors.ts';
export type { CallOptions, ClientOptions } from './http/transport.ts';
export type { FilesClient, GenerationsClient } from './programs.ts';
export type { StudioClient } from './studio.ts';
export type * from './types.ts';
export { AtelierTimeoutError, type WaitOptions } from './wait.ts';
export {
  AtelierWebhookError,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventData,
  type WebhookEventType,
} from './webhooks.ts';
