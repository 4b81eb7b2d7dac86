import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

type CurlRun = {
  /** The values of `$NAME`. A name without a value fails the command, as with `set -u`. */
  values: Readonly<Record<string, string>>;
  /** The folder where `@file` is read and `-o file` is written. */
  folder: string;
};

/**
 * Runs the commands that a page tells its reader to paste, without curl: words are split as a POSIX shell does, with the options that the examples
 * use. Throws for anything else in a command. Returns the answer of each command.
 */
export async function runCurl(script: string, { values, folder }: CurlRun): Promise<Response[]> {
  const answers: Response[] = [];
  for (const words of commandsOf(script, values)) {
    const { url, init, output } = await requestOf(words, folder);
    const response = await fetch(url, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (output) await writeFile(path.join(folder, output), bytes);
    const hasBody = ![204, 304].includes(response.status);
    answers.push(
      new Response(hasBody ? bytes : null, { status: response.status, headers: response.headers }),
    );
  }
  return answers;
}

/** The commands of a script, each as its words, with quotes, escapes, continued lines and `$NAME` as in POSIX. */
export function commandsOf(script: string, values: Readonly<Record<string, string>>): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let quote = '';
  const readValue = (name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The example names $${name}, which nobody set.`);
    return value;
  };
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < script.length; at += 1) {
    const char = script[at] as string;
    const next = script[at + 1] ?? '';
    const name = char === '$' && quote !== "'" ? /^\$(\w+)/.exec(script.slice(at))?.[1] : undefined;
    if (name) {
      word = (word ?? '') + readValue(name);
      at += name.length;
    } else if (quote) {
      if (char === quote) quote = '';
      else if (quote === '"' && char === '\\' && '"\\$`\n'.includes(next)) {
        if (next !== '\n') word += next;
        at += 1;
      } else if (quote === '"' && char === '`') throw new Error('The example runs a command in a word.');
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= '';
    } else if (char === '\\') {
      if (next !== '\n') word = (word ?? '') + next;
      at += 1;
    } else if (char === '\n') endCommand();
    else if (/\s/.test(char)) endWord();
    else if (/[|&;<>()`*?[\]#~=%{}!$]/.test(char) && !(word !== undefined && /[=?#~%!]/.test(char)))
      throw new Error(`The example needs more of a shell than this one: « ${char} ».`);
    else word = (word ?? '') + char;
  }
  if (quote) throw new Error('A quote of the example is not closed.');
  endCommand();
  return commands;
}

type Parts = {
  method?: string;
  url?: string;
  isGet: boolean;
  data: string[];
  bytes?: Uint8Array;
  output?: string;
};

async function requestOf([command, ...words]: string[], folder: string) {
  if (command !== 'curl') throw new Error(`The example runs ${command}, not curl.`);
  const headers = new Headers();
  const parts: Parts = { isGet: false, data: [] };
  while (words.length > 0) {
    const word = words.shift() as string;
    const value = () => {
      const given = words.shift();
      if (given === undefined) throw new Error(`${word} needs a value.`);
      return given;
    };
    if (word === '-H') {
      const [, name, text] = /^([\w-]+): (.+)$/.exec(value()) ?? [];
      if (!name || !text) throw new Error('A header of the example is not one.');
      headers.append(name, text);
    } else if (word === '-b') headers.set('cookie', value());
    else if (word === '-X') parts.method = value();
    else if (word === '-d') parts.data.push(value());
    else if (word === '--data-urlencode') {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(value()) ?? [];
      parts.data.push(`${name}=${encodeURIComponent(text ?? '')}`);
    } else if (word === '--data-binary') {
      const file = value();
      if (!file.startsWith('@')) throw new Error('--data-binary is shown with a file.');
      parts.bytes = await readFile(path.join(folder, path.basename(file.slice(1))));
    } else if (word === '-o') parts.output = path.basename(value());
    else if (word === '-G') parts.isGet = true;
    else if (word.startsWith('-')) {
      if (word !== '-i')
        throw new Error(`The examples do not use ${word}: teach it to tests/setup/docs/curl.ts.`);
    } else if (parts.url) throw new Error(`The example gives two addresses: ${word}.`);
    else parts.url = word;
  }
  return { ...requestInit(parts, headers), output: parts.output };
}

/** The request as curl sends it: data makes it a POST with a form type unless a header says otherwise; `-G` moves the data into the address. */
function requestInit({ method, url, isGet, data, bytes }: Parts, headers: Headers) {
  if (!url) throw new Error('The example gives no address.');
  const joined = data.join('&');
  const body = isGet || (!bytes && data.length === 0) ? undefined : (bytes ?? joined);
  if (body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded');
  const address = isGet && joined ? `${url}${url.includes('?') ? '&' : '?'}${joined}` : url;
  const init: RequestInit = {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: body as BodyInit }),
  };
  return { url: address, init };
}
