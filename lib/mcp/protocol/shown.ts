import { withoutInvisible } from '#lib/brain/text/invisible.ts';

/** A payload as an assistant receives it: what nobody sees in a text of the account is left out, for it would be read. */
export function shown<T extends object>(payload: T): T {
  return JSON.parse(JSON.stringify(payload), (_, value: unknown) =>
    typeof value === 'string' ? withoutInvisible(value) : value,
  ) as T;
}
