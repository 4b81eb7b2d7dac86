import { type Random, seededRandom } from '#tests/bench/search-corpus.ts';
import { ENGLISH, type Fact, FRENCH, type Language } from './conversation-words.ts';

export type Conversation = { id: string; title: string; body: string; updatedAt: Date };
/** A question, the conversation that answers it, and the turn that has to be read for it. */
export type Question = { language: 'fr' | 'en'; q: string; conversation: string; evidence: string };
export type ConversationSet = {
  language: 'fr' | 'en';
  space: string;
  conversations: Conversation[];
  questions: Question[];
};

const CONVERSATIONS = 450;
const QUESTIONS = 160;
const YEARS = [2023, 2024, 2025];

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;
const two = (value: number) => String(value).padStart(2, '0');

function drawDate(random: Random, { months, date }: Language): { text: string; iso: string } {
  const month = Math.floor(random() * 12);
  const day = 1 + Math.floor(random() * 28);
  const year = pick(random, YEARS);
  return { text: date(day, months[month] as string, year), iso: `${year}-${two(month + 1)}-${two(day)}` };
}

function values(random: Random, language: Language): Record<string, string> {
  const when = drawDate(random, language);
  return {
    product: pick(random, language.products),
    person: pick(random, language.people),
    town: pick(random, language.towns),
    date: when.text,
    isoDate: when.iso,
    lot: `${pick(random, [...'BCDFGHKLMNPRST'])}-${1_000 + Math.floor(random() * 9_000)}`,
    ...Object.fromEntries(Object.entries(language.slots).map(([name, list]) => [name, pick(random, list)])),
  };
}

const fill = (text: string, slots: Record<string, string>) =>
  text
    .replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '')
    .replace(/\b(l|d)(?:a|e) (?=[aeioué])/gi, '$1’');

/** What a fact is about: two facts of one kind never share it, so that each question has one answer. */
function subjectOf({ asked }: Fact, slots: Record<string, string>): string {
  return fill(asked, slots);
}

function makeSet(code: 'fr' | 'en', language: Language, seed: number): ConversationSet {
  const random = seededRandom(seed);
  const facts: { asked: string; said: string }[] = [];
  const known = new Set<string>();
  for (let i = 0; facts.length < QUESTIONS; i++) {
    const fact = language.facts[i % language.facts.length] as Fact;
    const slots = values(random, language);
    const subject = subjectOf(fact, slots);
    if (i > QUESTIONS * 50) throw new Error('the words of the conversations do not make enough questions');
    if (known.has(subject)) continue;
    known.add(subject);
    facts.push({ asked: subject, said: fill(fact.said, slots) });
  }
  const conversations: Conversation[] = [];
  const questions: Question[] = [];
  for (let n = 0; n < CONVERSATIONS; n++) {
    const id = `${code}_${String(n).padStart(4, '0')}`;
    const speakers = [pick(random, language.people), pick(random, language.people)].map(
      (name) => name.split(' ')[0],
    );
    const turns: string[] = [];
    const length = 24 + Math.floor(random() * 36);
    for (let t = 0; t < length; t++) {
      const count = 1 + Math.floor(random() * 2);
      const said = Array.from({ length: count }, () =>
        fill(pick(random, language.passing), values(random, language)),
      );
      turns.push(`${speakers[t % 2]} : ${said.join(' ')}`);
    }
    // One conversation in three says one of the facts, somewhere.
    const fact = n % 3 === 1 ? facts[questions.length] : facts[Number.NaN];
    if (fact) {
      const at = Math.floor(random() * turns.length);
      turns[at] = `${speakers[at % 2]} : ${fact.said}`;
      questions.push({ language: code, q: fact.asked, conversation: id, evidence: fact.said });
    }
    const slots = { ...values(random, language), subject: pick(random, language.subjects) };
    conversations.push({
      id,
      title: fill(language.title, slots),
      body: turns.join('\n'),
      updatedAt: new Date(Date.UTC(2026, 0, 1) + n * 3_600_000),
    });
  }
  // What is left of the facts goes where one was said already, or none: a conversation may answer two questions.
  for (let n = 0; questions.length < facts.length; n += 3) {
    const fact = facts[questions.length] as (typeof facts)[number];
    const conversation = conversations[n % CONVERSATIONS] as Conversation;
    const turns = conversation.body.split('\n');
    const at = Math.floor(random() * turns.length);
    turns[at] = `${(turns[at] as string).split(' : ')[0]} : ${fact.said}`;
    conversation.body = turns.join('\n');
    questions.push({ language: code, q: fact.asked, conversation: conversation.id, evidence: fact.said });
  }
  return { language: code, space: language.space, conversations, questions };
}

/** Two Spaces of long conversations and the questions that they answer, always the same: those that the page reports, and that nothing was tuned on. */
export const CONVERSATION_SETS: readonly ConversationSet[] = [
  makeSet('fr', FRENCH, 71),
  makeSet('en', ENGLISH, 72),
];

/** The same from other seeds: what is looked at while the ranking is tuned (`npm run eval -- --tune`). */
export const TUNING_SETS: readonly ConversationSet[] = [
  makeSet('fr', FRENCH, 11),
  makeSet('en', ENGLISH, 12),
];
