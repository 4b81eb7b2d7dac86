import { describe, expect, test } from 'vitest';
import { TooManyBytes } from '#lib/core/net/read-capped.ts';
import { readJsonFiles } from '#lib/core/net/read-json-files.ts';

const LONG = 100_000;
/** Bytes whose base64 contains every character. */
const bytesOf = (size: number) =>
  Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) & 255));

/** A text as a stream of chunks of this size. */
function streamOf(text: string, chunk: number): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + chunk)));
      at += chunk;
    },
  });
}

const read = async (text: string, chunk = 65_536, maxBytes = 10_000_000) => {
  const { bytes, files } = await readJsonFiles(streamOf(text, chunk), maxBytes);
  return { text: Buffer.from(bytes).toString(), files };
};

/** The text of the answer's only field, as the JSON has it now, and the file that it stands for. */
async function fieldOf(text: string, chunk?: number) {
  const answer = await read(text, chunk);
  const { data } = JSON.parse(answer.text) as { data: string };
  return { data, file: answer.files.get(data), count: answer.files.size };
}

describe('a whole file in the JSON of an answer', () => {
  test.each([1_000_000, 65_536, 4_099, 61])('stands apart, decoded, by pieces of %i bytes', async (chunk) => {
    for (const size of [LONG, LONG + 1, LONG + 2]) {
      const bytes = bytesOf(size);
      const text = JSON.stringify({ before: 'a"\\', data: bytes.toString('base64'), after: [1, 'é'] });
      const answer = await read(text, chunk);
      const parsed = JSON.parse(answer.text);
      expect(parsed).toEqual({ before: 'a"\\', data: expect.any(String), after: [1, 'é'] });
      expect(Buffer.compare(answer.files.get(parsed.data) ?? new Uint8Array(), bytes)).toBe(0);
      expect(answer.text.length).toBeLessThan(100);
    }
  });

  test('is read from a data: address, with slashes written out, and without its padding', async () => {
    const bytes = bytesOf(LONG);
    const base64 = bytes.toString('base64');
    for (const written of [
      `data:video/mp4;base64,${base64}`,
      base64.replaceAll('/', '\\/'),
      base64.replace(/=+$/, ''),
    ])
      for (const chunk of [65_536, 997]) {
        const { file } = await fieldOf(`{"data":"${written}"}`, chunk);
        expect(Buffer.compare(file ?? new Uint8Array(), bytes), written.slice(0, 30)).toBe(0);
      }
  });

  test('is none when another sign comes later; the rest of the answer is read', async () => {
    const base64 = bytesOf(LONG).toString('base64').replace(/=+$/, '');
    for (const odd of ['%', 'AA==AAAA', '\\"', '\\\\', '\\u0041', 'é'])
      for (const chunk of [65_536, 997]) {
        const text = `{"data":"${base64}${odd}","next":"b"}`;
        const answer = await read(text, chunk);
        const { data, next } = JSON.parse(answer.text) as { data: string; next: string };
        expect([next, answer.files.has(data), answer.files.get(data)], odd).toEqual(['b', true, null]);
      }
  });

  test('several stand apart each under its own mark', async () => {
    const [one, other] = [bytesOf(LONG), bytesOf(2 * LONG)];
    const answer = await read(JSON.stringify([one.toString('base64'), other.toString('base64')]));
    const marks = JSON.parse(answer.text) as string[];
    expect(marks.map((mark) => answer.files.get(mark)?.length)).toEqual([LONG, 2 * LONG]);
  });
});

describe('what is no file', () => {
  test('stays in the answer as it came: short base64, a long text, and what is not JSON', async () => {
    const words = 'Une bougie « posée ». \\" \\\\'.repeat(5_000);
    for (const text of [
      JSON.stringify({ data: bytesOf(3_000).toString('base64') }),
      `{"data":"${words}"}`,
      `<html class="a">${'x'.repeat(LONG)}"`,
      `{"data":"cut ${'x'.repeat(500)}`,
      '',
    ])
      for (const chunk of [65_536, 4_099])
        expect(await read(text, chunk)).toEqual({ text, files: new Map() });
    expect(await readJsonFiles(null, 1)).toEqual({ bytes: new Uint8Array(), files: new Map() });
  });

  test('is refused past the limit of all, and past four megabytes without the files', async () => {
    await expect(read('x'.repeat(101), 10, 100)).rejects.toThrow(TooManyBytes);
    await expect(read(JSON.stringify({ data: 'é '.repeat(2_000_000) }))).rejects.toThrow(TooManyBytes);
    const file = JSON.stringify({ data: bytesOf(5_000_000).toString('base64') });
    expect((await read(file)).files.size).toBe(1);
  });
});
