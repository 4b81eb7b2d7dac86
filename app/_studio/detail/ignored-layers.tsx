import { ignoredLayer } from '../setting-words.ts';

/** The layers that the server left out, each with the reason. */
export function IgnoredLayers({ layers }: { layers: readonly string[] }) {
  if (layers.length === 0) return null;
  return (
    <ul role="list" aria-label="Couches ignorées" className="mt-2 flex flex-col gap-1 text-sm">
      {layers.map((layer) => {
        const { label, reason } = ignoredLayer(layer);
        return (
          <li key={layer} className="text-ink-soft">
            <s>{label}</s> · ignoré&nbsp;: {reason}
          </li>
        );
      })}
    </ul>
  );
}
