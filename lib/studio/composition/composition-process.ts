/** A large composition in a process of its own: three pictures on its input, one line of JSON and a PNG on its output. */
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '#lib/core/errors.ts';
import { composePixels } from './compose-pixels.ts';
import { splitPictures } from './length-prefixed.ts';
import { loadSharp } from './load-sharp.ts';
import type { CompositionFailure } from './pixels.ts';

const [product, mask, generated] = splitPictures(await buffer(process.stdin));
if (!product || !mask || !generated) throw new RangeError('three pictures are needed');

const write = (bytes: string | Uint8Array) =>
  new Promise<void>((done, fail) => {
    process.stdout.write(bytes, (error) => (error ? fail(error) : done()));
  });

try {
  const { png, ...facts } = await composePixels(await loadSharp(), { product, mask, generated });
  await write(`${JSON.stringify({ ...facts, bytes: png.length })}\n`);
  await write(png);
} catch (error) {
  const known = error instanceof ServiceError ? error.options.detail : undefined;
  await write(`${JSON.stringify({ failed: (known as CompositionFailure | undefined) ?? 'unreadable' })}\n`);
}
