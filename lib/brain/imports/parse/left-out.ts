import { shorten } from '#lib/brain/text/cut.ts';
import { cleanTitle } from '#lib/brain/text/titles.ts';

const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 60;

/** What of a file was left out, with the names that it has there, for the import's report: « Champs laissés de côté : « tags ». ». */
export function leftOutSentence(what: string, names: readonly string[]): string {
  const quoted = (name: string) => `«\u00a0${shorten(cleanTitle(name), MAX_NAME_LENGTH)}\u00a0»`;
  const said = names.slice(0, MAX_NAMES).map(quoted);
  const others = names.length - said.length;
  const more = others === 0 ? '' : ` et ${others} ${others === 1 ? 'autre' : 'autres'}`;
  return `${what}\u00a0: ${said.join(', ')}${more}.`;
}
