// Entry of the process that `splitTextInChild` starts for a long text: `{ title, body }` as JSON on its input, the parts as JSON on its output.
import { text } from 'node:stream/consumers';
import { splitText } from './split-text.ts';

process.stdout.write(JSON.stringify(splitText(JSON.parse(await text(process.stdin)))));
