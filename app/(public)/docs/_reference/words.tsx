/** Text whose `code` is set in the code face. */
export function words(text: string) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move.
      <code key={index} className="font-mono text-sm">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
