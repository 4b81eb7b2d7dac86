import { withoutInvisible } from '#lib/core/text/invisible.ts';

/** A payload without the invisible characters of the account's texts: an assistant would read what no person sees. */
export function visiblePayload<T extends object>(payload: T): T {
  return JSON.parse(JSON.stringify(payload), (_, value: unknown) =>
    typeof value === 'string' ? withoutInvisible(value) : value,
  ) as T;
}
