import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { splitTextInChild } from '#lib/brain/text/split-in-child.ts';
import { splitText } from '#lib/brain/text/split-text.ts';

const TEXT = {
  title: 'Livre',
  body: Array.from({ length: 90 }, (_, at) => `## Partie ${at}\n\n${'Une phrase. '.repeat(80)}`).join('\n\n'),
};

/** Divides a long text while the first so many of its processes are sent a signal. */
async function dividedWhile(stopped: number, signal: NodeJS.Signals): Promise<unknown> {
  let processes = 0;
  const end = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process;
    processes += 1;
    if (processes <= stopped) child.once('spawn', () => child.kill(signal));
  };
  subscribe('child_process', end);
  try {
    return await splitTextInChild('acc_x', TEXT).catch((error: unknown) => error);
  } finally {
    unsubscribe('child_process', end);
  }
}

test('a text whose division is stopped with the service is divided again, and not called slow', async () => {
  expect(await dividedWhile(1, 'SIGTERM')).toEqual(splitText(TEXT));
});

test('one whose divisions are all stopped is told to be sent again: nothing is said of the text', async () => {
  expect(await dividedWhile(Number.POSITIVE_INFINITY, 'SIGTERM')).toMatchObject({
    code: 'unavailable',
    options: { message: expect.stringContaining('a été interrompue') },
  });
});

test('one that ends its process otherwise could not be divided, which is not to say that it is slow', async () => {
  const message = 'Ce texte n’a pas pu être divisé\u00a0: envoyez-le en plusieurs fois.';
  expect(await dividedWhile(1, 'SIGKILL')).toMatchObject({
    code: 'invalid_request',
    options: { message, problems: [{ field: 'body', message }] },
  });
});
