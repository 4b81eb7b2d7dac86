import { diffWordsWithSpace } from 'diff';

/** The greatest length of two texts together, in UTF-16 code units, that are compared word by word. */
const MOST_COMPARED_CHARACTERS = 8_000;

/** A text with the words that it adds to `base` and those that it lacks marked. Long texts are shown without marks. */
export function Prompt({ base, text }: { base: string; text: string }) {
  if (base.length + text.length > MOST_COMPARED_CHARACTERS)
    return <span className="whitespace-pre-line">{text}</span>;
  return (
    <span className="whitespace-pre-line">
      {diffWordsWithSpace(base, text).map(({ value, added, removed }, index) => {
        const key = `${index}`;
        if (added)
          return (
            <ins key={key} className="rounded-[2px] bg-ok-soft font-medium text-ok no-underline [del+&]:ml-1">
              {value}
            </ins>
          );
        if (removed)
          return (
            <del key={key} className="rounded-[2px] bg-fail-soft text-fail">
              {value}
            </del>
          );
        return value;
      })}
    </span>
  );
}
