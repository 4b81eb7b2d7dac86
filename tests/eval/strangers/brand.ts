/** The ways in which the questions are asked, in the order of the table. */
export const STRANGER_KINDS = [
  'question',
  'other form',
  'figure or date',
  'typo',
  'synonym',
  'follow-up',
  'two topics',
  'prompt',
  'no answer',
] as const;
export type StrangerKind = (typeof STRANGER_KINDS)[number];

/** One brand with its Memories, and what is asked of them: the keys are those a person would want, none where no Memory answers. */
export type StrangerBrand = {
  space: string;
  memories: readonly (readonly [
    key: string,
    role: 'IDENTITY' | 'GUIDELINES' | 'KNOWLEDGE' | 'ITEMS' | 'PEOPLE',
    title: string,
    body: string,
  ])[];
  questions: readonly (readonly [kind: StrangerKind, q: string, ...expected: string[]])[];
};
