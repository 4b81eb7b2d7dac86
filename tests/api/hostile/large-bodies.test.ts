import { expect, test, vi } from 'vitest';
import { POST as importFiles } from '#app/api/brain/spaces/[id]/imports/route.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { useApi } from '#tests/setup/api.ts';
import { sessionCookie } from '#tests/setup/storage/blob.ts';

vi.mock('next/server', async (original) => ({ ...(await original<object>()), after: () => undefined }));

const service = useApi();
const MEGABYTE = new Uint8Array(1024 ** 2);
const TYPE = 'multipart/form-data; boundary=x';

/** A body of so many megabytes whose end does not come until `finish`. */
function slowBody(megabytes: number) {
  const whole = Promise.withResolvers<'held'>();
  const end = Promise.withResolvers<void>();
  let given = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      given += 1;
      if (given <= megabytes) return controller.enqueue(MEGABYTE);
      whole.resolve('held');
      await end.promise;
      controller.close();
    },
  });
  return { stream, held: whole.promise, finish: () => end.resolve() };
}

async function sender() {
  const { account, member } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const cookie = await sessionCookie(service, member);
  return async (body: BodyInit, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { cookie, ...headers }, body, duplex: 'half' };
    const request = new Request(
      `http://atelier.test/api/brain/spaces/${space.id}/imports`,
      init as RequestInit,
    );
    return (await importFiles(request, { params: Promise.resolve({ id: space.id }) })).status;
  };
}

test('an account makes the service hold so many bytes of bodies that never end, and nobody else waits for them', async () => {
  const [attacker, victim] = [await sender(), await sender()];
  const bodies = Array.from({ length: 10 }, () => slowBody(49));
  const answers = bodies.map(({ stream }) => attacker(stream, { 'content-type': TYPE }));
  const seen = await Promise.all(bodies.map(({ held }, n) => Promise.race([held, answers[n]])));
  expect(seen.filter((one) => one === 'held')).toHaveLength(3);
  expect(seen.filter((one) => one === 429)).toHaveLength(7);

  const form = new FormData();
  form.append('files', new File(['# Note\n\nUn texte honnête.'], 'note.md'));
  expect(await victim(form)).toBe(202);

  for (const { finish } of bodies) finish();
  await Promise.all(answers);
  // What was held is given back.
  const again = new FormData();
  again.append('files', new File(['# Note\n\nUn texte honnête.'], 'note.md'));
  expect(await attacker(again)).toBe(202);
});
