// Entry of the child process that `measureInChild` starts: the file on standard input, its format as the one argument.
import { arrayBuffer } from 'node:stream/consumers';
import { measureTracks, UNREADABLE_EXIT } from './measure-tracks.ts';
import type { ClipFormat } from './media-types.ts';

// Loaded first: a reader that is not installed must not pass for a file that cannot be read.
await import('mediabunny');
const bytes = new Uint8Array(await arrayBuffer(process.stdin));
try {
  process.stdout.write(JSON.stringify(await measureTracks(bytes, process.argv[2] as ClipFormat)));
} catch {
  process.exitCode = UNREADABLE_EXIT;
}
