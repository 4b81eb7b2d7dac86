import { diffWordsWithSpace } from 'diff';

/** Beyond this, two texts are not compared word by word. */
const MOST_COMPARED_CHARACTERS = 8_000;

/** A text as it differs from another: words that came, words that went. */
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
