import { expect, test } from 'vitest';
import { withLargeFile } from '#lib/http/requests/large-body.ts';

const MEGABYTE = new Uint8Array(1024 ** 2);

/** A file of 49 MB whose end does not come. `outcome`: `held` once all of it was received, else why it was refused. */
function sentBy(accountId: string) {
  const whole = Promise.withResolvers<string>();
  const end = Promise.withResolvers<void>();
  let given = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      given += 1;
      if (given <= 49) return controller.enqueue(MEGABYTE);
      whole.resolve('held');
      await end.promise;
      controller.error(new Error('the sender went away'));
    },
  });
  const over = withLargeFile({ stream }, { accountId, maxBytes: 50 * 1024 ** 2 }, async () => 'read').catch(
    ({ message }: Error) => message,
  );
  return { over, outcome: Promise.race([whole.promise, over]), leave: () => end.resolve() };
}

test('640 MB of bodies are held in all: one more is refused, whoever sends it, and let in once another is gone', async () => {
  const held: ReturnType<typeof sentBy>[] = [];
  // 637 MB, from five accounts that are each within their own limit.
  for (let n = 0; n < 13; n += 1) {
    const one = sentBy(`acc_${n % 5}`);
    expect(await one.outcome).toBe('held');
    held.push(one);
  }
  expect(await sentBy('acc_9').outcome).toContain('Le service reçoit déjà beaucoup de fichiers.');
  held[0]?.leave();
  await held[0]?.over;
  const next = sentBy('acc_9');
  expect(await next.outcome).toBe('held');
  for (const one of [...held, next]) one.leave();
  for (const one of [...held, next]) expect(await one.over).toBe('the sender went away');
});
