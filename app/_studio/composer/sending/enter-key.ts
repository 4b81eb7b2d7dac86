type Pressed = { key: string; metaKey: boolean; ctrlKey: boolean; repeat: boolean; target: EventTarget };

/**
 * What a key does in the form of the composer: `send` for Ctrl or Command with Enter; `nothing` for the same key held down, and for Enter alone in a
 * field of one line or on a choice, where a browser would send a request that is paid; null for what the browser does by itself.
 */
export function enterKey({ key, metaKey, ctrlKey, repeat, target }: Pressed): 'send' | 'nothing' | null {
  if (key !== 'Enter') return null;
  if (metaKey || ctrlKey) return repeat ? 'nothing' : 'send';
  const { tagName, type } = target as HTMLInputElement;
  // On a field for a file it opens the choice of one.
  return tagName === 'INPUT' && type !== 'file' ? 'nothing' : null;
}
