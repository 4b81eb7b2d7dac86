'use client';
import { type ComponentType, useEffect, useState } from 'react';

/**
 * The tooltip, rendered once by the root layout. Its script is loaded after the page's own: it is needed only once the reader points at an element.
 */
export function TooltipLayer() {
  const [Layer, setLayer] = useState<ComponentType | null>(null);
  useEffect(() => {
    import('./tooltips.tsx').then(
      ({ default: loaded }) => setLayer(() => loaded),
      // Ignored: a tooltip only repeats or completes what is said elsewhere.
      () => {},
    );
  }, []);
  return Layer ? <Layer /> : null;
}
