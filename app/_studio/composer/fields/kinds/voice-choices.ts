import { titleOf } from '#app/_studio/title.ts';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import { line } from '#lib/core/text/one-line.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

const moments = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
});

const isShared = (all: readonly string[], one: string) => all.indexOf(one) !== all.lastIndexOf(one);

/**
 * The labels of voices: their first words, with the time before them if several share these words, and a number if they share the minute too. What
 * tells them apart comes first, because a closed list on a phone shows little.
 */
export function voiceLabels(voices: readonly GenerationView[]): string[] {
  const words = voices.map((voice) => cutShort(line(titleOf(voice)), 90));
  const dated = words.map((own, at) =>
    isShared(words, own) ? `${moments.format(new Date(voices[at]?.createdAt ?? 0))} · ${own}` : own,
  );
  return dated.map((own, at) => {
    if (!isShared(dated, own)) return own;
    const rank = dated.slice(0, at + 1).filter((one) => one === own).length;
    return `n°\u00a0${rank} · ${own}`;
  });
}
