import { foldAccents } from '#lib/core/text/fold.ts';
import type { Voice } from '#lib/providers/ports-voice.ts';

/** The provider's labels in French; another label stays as it is. */
const LABELS: Record<string, string> = {
  female: 'féminine',
  male: 'masculine',
  neutral: 'neutre',
  'non-binary': 'non binaire',
  young: 'jeune',
  middle_aged: 'âge moyen',
  'middle aged': 'âge moyen',
  old: 'âgée',
  narration: 'narration',
  audiobook: 'livre audio',
  narrative_story: 'récit',
  conversational: 'conversation',
  advertisement: 'publicité',
  characters: 'personnages',
  social_media: 'réseaux sociaux',
  entertainment_tv: 'télévision',
  informative_educational: 'pédagogie',
  fr: 'français',
  en: 'anglais',
  es: 'espagnol',
  de: 'allemand',
  it: 'italien',
};

/** The labels of a voice as its row shows them, each once. */
export const labelsOf = ({ labels }: Pick<Voice, 'labels'>): string[] => [
  ...new Set(
    Object.values(labels)
      .filter(Boolean)
      .map((label) => (Object.hasOwn(LABELS, label) ? (LABELS[label] ?? label) : label)),
  ),
];

/**
 * Whether each word of a search is in what the row of a voice shows, or in the provider's own labels; in any order, without regard to accents or
 * capitals. An empty search finds every voice.
 */
export function isFound(voice: Pick<Voice, 'name' | 'description' | 'labels'>, asked: string): boolean {
  const { name, description, labels } = voice;
  const told = foldAccents([name, description, ...labelsOf(voice), ...Object.values(labels)].join(' '));
  return foldAccents(asked)
    .split(/\s+/)
    .every((word) => told.includes(word));
}
